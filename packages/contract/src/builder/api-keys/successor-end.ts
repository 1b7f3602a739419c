import { LAST_MOMENT } from '../../schema/moment.ts'
import type { ApiKey } from './api-key.ts'

/**
 * When a key that is made to replace another one ends, unless its maker says so: it lives for as long as the old one would have from its
 * creation to its end of now, and at most to the last moment of the year 9999. When the end was changed after the creation, nobody chose
 * that lifetime. In milliseconds since the epoch; null: never.
 */
export function successorEnd(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  nowMs: number,
): number | null {
  if (expiresAt === null) return null
  return Math.min(nowMs + Date.parse(expiresAt) - Date.parse(createdAt), LAST_MOMENT)
}
