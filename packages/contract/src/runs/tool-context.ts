import type { FieldError } from '../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS } from '../errors/field-path.ts'
import { isDeeperThan, jsonBytes } from '../schema/json-bytes.ts'

const MAX_BYTES = 16 * 1024
/** Maximum keys of a `tool_context`. */
export const MAX_CONTEXT_KEYS = 50
const MAX_DEPTH = 5
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Every limit that a `tool_context` exceeds (16 KB, 50 keys, depth 5), with paths below `tool_context`. */
export function toolContextErrors(context: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = []
  const add = (path: string, message: string) => errors.push({ path, message })
  const keys = Object.keys(context)
  if (keys.length > MAX_CONTEXT_KEYS) add('tool_context', `must have at most ${MAX_CONTEXT_KEYS} keys`)
  for (const key of keys) {
    if (errors.length < MAX_FIELD_ERRORS && !KEY.test(key)) {
      add(
        fieldPath('tool_context', key),
        'must be a key of letters, digits and _, at most 64, not starting with a digit',
      )
    }
  }
  if (isDeeperThan(MAX_DEPTH, context)) add('tool_context', `must be nested at most ${MAX_DEPTH} levels deep`)
  if (jsonBytes(context, MAX_BYTES) > MAX_BYTES) add('tool_context', 'must be at most 16 KB of JSON')
  return errors
}
