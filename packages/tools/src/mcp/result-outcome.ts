import type { ToolOutcome } from '@troupe/agents/ports'
import { isJsonObject, propertyOf } from '@troupe/contract'

const MAX_ERROR_CHARACTERS = 400

/** The result of a `tools/call`, as far as it is read. */
interface CallResult {
  content?: readonly unknown[]
  structuredContent?: unknown
  isError?: boolean | undefined
}

/** The text of one part of a result; what is not text is named. */
function textOf(part: unknown): string {
  const read = (name: string) => String(propertyOf(part, name) ?? '')
  switch (propertyOf(part, 'type')) {
    case 'text':
      return read('text')
    case 'image':
    case 'audio':
      return `[${read('type')}: ${read('mimeType')}]`
    case 'resource_link':
      return `[${read('name')}](${read('uri')})`
    case 'resource': {
      const resource = propertyOf(part, 'resource')
      const text = propertyOf(resource, 'text')
      return typeof text === 'string' ? text : `[resource: ${String(propertyOf(resource, 'uri') ?? '')}]`
    }
    default:
      return ''
  }
}

/** A result as the model reads it. */
export function resultOutcome(
  { content = [], structuredContent, isError }: CallResult,
  scrub: (text: string) => string,
): ToolOutcome {
  const parts = content.map(textOf).filter((part) => part !== '')
  const written =
    parts.length === 0 && isJsonObject(structuredContent) ? [JSON.stringify(structuredContent)] : parts
  const text = scrub(written.join('\n'))
  if (!isError) return { ok: true, text: text === '' ? '(no content)' : text }
  return { ok: false, code: 'failed', message: `The tool failed: ${text.slice(0, MAX_ERROR_CHARACTERS)}` }
}
