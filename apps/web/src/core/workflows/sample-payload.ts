import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'

const EXAMPLES: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false, object: {} }

/**
 * What a run by hand may send to a trigger: its sample, or an empty value for each of its fields; below `body` when the steps read
 * what a webhook brings.
 */
export function samplePayload({ type, config }: Pick<GraphNode, 'type' | 'config'>, isBody = false): unknown {
  if (type === 'http-request') {
    const sample = isJsonObject(config.sample)
      ? config.sample
      : fieldsOf(config, (field) => EXAMPLES[String(field.type)] ?? null)
    return isBody ? { body: sample } : sample
  }
  if (isJsonObject(config.sample)) return config.sample
  if (type === 'form-trigger')
    return { body: fieldsOf(config, ({ type: kind }) => (kind === 'number' ? 0 : '')) }
  return {}
}

function fieldsOf(
  { fields }: Record<string, unknown>,
  example: (field: Record<string, unknown>) => unknown,
): Record<string, unknown> {
  const list = (Array.isArray(fields) ? fields : []).filter(isJsonObject)
  return Object.fromEntries(list.map((field) => [String(field.name), example(field)]))
}
