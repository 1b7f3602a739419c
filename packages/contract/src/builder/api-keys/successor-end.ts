import { LAST_MOMENT } from '../../schema/moment.ts'
import type { ApiKey } from './api-key.ts'

/**
 * The default end of a key that replaces another one, in milliseconds since the epoch; null: never. The new key has the
 * lifetime of the old one, from its creation to its current end, up to the end of the year 9999. If the old key's end
 * was changed after its creation, that lifetime was not chosen deliberately.
 */
export function successorEnd(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  nowMs: number,
): number | null {
  if (expiresAt === null) return null
  return Math.min(nowMs + Date.parse(expiresAt) - Date.parse(createdAt), LAST_MOMENT)
}
