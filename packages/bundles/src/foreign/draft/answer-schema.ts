import { isJsonObject, parseJson } from '@troupe/contract'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { limited } from './limited.ts'
import { textOf } from './plain.ts'

const MAX_LEVELS = 8
const MAX_PROPERTIES = 200

/** A JSON Schema derived from an example; remarks list the parts of the example that it does not require. */
export function schemaLike(example: unknown, remarks: string[], level = 0): Record<string, unknown> {
  if (Array.isArray(example)) {
    return {
      type: 'array',
      items: level >= MAX_LEVELS || example.length === 0 ? {} : schemaLike(example[0], remarks, level + 1),
    }
  }
  if (isJsonObject(example)) {
    if (level >= MAX_LEVELS) {
      if (Object.keys(example).length > 0)
        remarks.push(
          `Values of its example below ${MAX_LEVELS} levels are in no schema: any object is accepted there.`,
        )
      return { type: 'object' }
    }
    const entries = limited(Object.entries(example), MAX_PROPERTIES, 'properties of its example', remarks)
    return {
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([key, value]) => [key, schemaLike(value, remarks, level + 1)]),
      ),
      required: entries.map(([key]) => key),
    }
  }
  if (typeof example === 'number') return { type: 'number' }
  return { type: typeof example === 'boolean' ? 'boolean' : 'string' }
}

/** A JSON text as an object; null for anything else. */
export function objectIn(text: unknown): Record<string, unknown> | null {
  if (isJsonObject(text)) return text
  const parsed = parseJson(textOf(text ?? '').replace(/^=/, ''))
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null
}

/** A schema that an AI Prompt accepts; null for one that it refuses. */
export function usableSchema(schema: Record<string, unknown> | null): Record<string, unknown> | null {
  if (schema === null) return null
  const problems = NODE_TYPES.get('ai-prompt')?.check({ prompt: 'x', outputSchema: schema }) ?? []
  return problems.some(({ severity }) => severity === 'block') ? null : schema
}
