import type { FieldError } from '../errors/error-body.ts'

const MAX_BYTES = 16 * 1024
const MAX_KEYS = 50
const MAX_DEPTH = 5
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** Every limit that a `tool_context` exceeds (16 KB, 50 keys, depth 5), with paths below `tool_context`. */
export function toolContextErrors(context: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = []
  const add = (path: string, message: string) => errors.push({ path, message })
  const keys = Object.keys(context)
  if (keys.length > MAX_KEYS) add('tool_context', `must have at most ${MAX_KEYS} keys`)
  for (const key of keys) {
    if (!KEY.test(key)) {
      add(
        `tool_context.${key}`,
        'must be a key of letters, digits and _, at most 64, not starting with a digit',
      )
    }
  }
  if (depthOf(context) > MAX_DEPTH) add('tool_context', `must be nested at most ${MAX_DEPTH} levels deep`)
  if (new TextEncoder().encode(JSON.stringify(context)).length > MAX_BYTES) {
    add('tool_context', 'must be at most 16 KB of JSON')
  }
  return errors
}
