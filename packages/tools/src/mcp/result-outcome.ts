import type { ToolOutcome } from '@troupe/agents/ports'
import { isJsonObject, propertyOf } from '@troupe/contract'
import type { HideTexts } from '../credentials/text-hider.ts'

const MAX_ERROR_CHARACTERS = 400
const MAX_TYPE_CHARACTERS = 40

/** A value that should be a text, in readable form. */
const named = (value: unknown) => (typeof value === 'string' ? value : 'unnamed')

function unknownContent(type: unknown): string {
  return `[unknown content: ${typeof type === 'string' ? type.slice(0, MAX_TYPE_CHARACTERS) : 'no type'}]`
}

/** The text of one part of a result; other parts are named. */
function textOf(part: unknown): string {
  const read = (name: string) => propertyOf(part, name)
  const type = read('type')
  switch (type) {
    case 'text': {
      const text = read('text')
      return typeof text === 'string' ? text : '[text that cannot be read]'
    }
    case 'image':
    case 'audio':
      return `[${type}: ${named(read('mimeType'))}]`
    case 'resource_link':
      return `[${named(read('name'))}](${named(read('uri'))})`
    case 'resource': {
      const text = propertyOf(read('resource'), 'text')
      return typeof text === 'string' ? text : `[resource: ${named(propertyOf(read('resource'), 'uri'))}]`
    }
    default:
      return unknownContent(type)
  }
}

/** The parts of a result as texts. */
function partsOf(content: unknown): string[] {
  if (Array.isArray(content)) return content.map(textOf)
  if (typeof content === 'string') return [content]
  return content === undefined || content === null ? [] : [textOf(content)]
}

/** `structuredContent` as text; null if there is none. */
function structuredText(structured: unknown): string | null {
  return typeof structured === 'object' && structured !== null ? JSON.stringify(structured) : null
}

/** The known keys of a result. */
const KNOWN = new Set(['content', 'structuredContent', 'isError', '_meta'])
const MAX_NAMED_KEYS = 10

/** The text for a result without content. */
function unknownResult(result: unknown): string {
  const keys = isJsonObject(result) ? Object.keys(result).filter((key) => !KNOWN.has(key)) : []
  const shown = keys.slice(0, MAX_NAMED_KEYS).map((key) => key.slice(0, MAX_TYPE_CHARACTERS))
  return shown.length === 0 ? '(no content)' : `(no content, and unknown parts: ${shown.join(', ')})`
}

/**
 * A result of any form as the model reads it. The call has ended, so an unreadable result must not look like a failure:
 * the model would repeat the call. Structured content is used if no other part is text, because by the specification
 * that text repeats it.
 */
export function resultOutcome(result: unknown, hide: HideTexts): ToolOutcome {
  const { content, structuredContent, isError, toolResult } = isJsonObject(result) ? result : {}
  // The form of version 2024-10-07.
  if (content === undefined && isJsonObject(toolResult) && !Object.hasOwn(toolResult, 'toolResult')) {
    return resultOutcome(toolResult, hide)
  }
  const isText = (part: unknown) => typeof part === 'string' || propertyOf(part, 'type') === 'text'
  const hasText = isText(content) || (Array.isArray(content) && content.some(isText))
  const structured = hasText ? null : structuredText(structuredContent)
  const parts = partsOf(content).filter((part) => part !== '')
  const read = [...parts, ...(structured === null ? [] : [structured])].join('\n')
  const text = hide(read === '' && !hasText ? unknownResult(result) : read)
  if (isError !== true) return { ok: true, text: text === '' ? '(no content)' : text }
  return { ok: false, code: 'failed', message: `The tool failed: ${text.slice(0, MAX_ERROR_CHARACTERS)}` }
}
