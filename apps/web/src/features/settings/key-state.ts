import type { ApiKey } from '@troupe/builder-contract'

const SOON_MS = 14 * 86_400_000

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
