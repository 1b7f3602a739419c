import type { ApiKey } from '@troupe/contract/builder'

const DAY_MS = 86_400_000
const SOON_MS = 14 * DAY_MS

/** Whether callers may use a key: `endsSoon` within 14 days. */
export type KeyState = 'active' | 'endsSoon' | 'ended' | 'revoked'

/** The state of a key at a moment in milliseconds. */
export function keyState(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  const left = Date.parse(expiresAt) - nowMs
  if (left <= 0) return 'ended'
  return left <= SOON_MS ? 'endsSoon' : 'active'
}

/** The `expiresAt` of a request from the user's choice: days from a given time, `never`, or anything else, which omits it. */
export function chosenKeyEnd(ends: string, nowMs: number): Pick<Partial<ApiKey>, 'expiresAt'> {
  if (ends === 'never') return { expiresAt: null }
  const days = Number(ends)
  return Number.isInteger(days) ? { expiresAt: new Date(nowMs + days * DAY_MS).toISOString() } : {}
}
