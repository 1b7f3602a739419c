import { LAST_MOMENT } from '../../schema/moment.ts'
import type { ApiKey } from './api-key.ts'

/**
 * The default end of a key that replaces another one: it has the lifetime of the old one, from its creation to its
 * current end, and ends at the latest at the last moment of the year 9999. If the end was changed after the creation,
 * that lifetime was not chosen deliberately. In milliseconds since the epoch; null: never.
 */
export function successorEnd(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  nowMs: number,
): number | null {
  if (expiresAt === null) return null
  return Math.min(nowMs + Date.parse(expiresAt) - Date.parse(createdAt), LAST_MOMENT)
}
