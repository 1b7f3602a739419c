import { fieldPath } from '@troupe/contract'

/** Fields nested deeper than this are not checked; a run fails at such a field anyway. */
const MAX_DEPTH = 100

/** The strings of a field with their paths. */
export function* stringsIn(
  value: unknown,
  path: string,
  depth = 0,
): Generator<{ text: string; path: string }> {
  if (typeof value === 'string') yield { text: value, path }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  for (const [key, inner] of Object.entries(value)) yield* stringsIn(inner, fieldPath(path, key), depth + 1)
}
