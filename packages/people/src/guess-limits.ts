import { createHash } from 'node:crypto'
import type { RateLimiter } from '@troupe/rate-limits'
import { networkOf, RateLimitedError, wasNotTried } from '@troupe/rate-limits'

/** Failures per window. The first two stop a single attacker, the last one a distributed attack. */
const LIMITS = {
  address: { failures: 100, seconds: 15 * 60 },
  accountFromAddress: { failures: 10, seconds: 15 * 60 },
  account: { failures: 100, seconds: 60 * 60 },
} as const

type Counter = Pick<RateLimiter, 'hit' | 'peek' | 'takeBack'>

/**
 * Admits a password attempt, or refuses it before the password is checked. An attempt is counted before it runs, so that concurrent ones
 * cannot exceed the limit; the count is undone when `attempt` succeeds, and when the server was too busy for it.
 *
 * @param ip null: many visitors share the address, behind a proxy that reports none. Then no limit uses it alone, so that one stranger
 * cannot lock everybody out; the account's own limits apply
 * @param account whose password is guessed; need not exist
 * @throws RateLimitedError, the same for existing and unknown accounts
 */
export async function limitGuesses<T>(
  counter: Counter,
  { ip, account }: { ip: string | null; account: string },
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const who = createHash('sha256').update(account.toLowerCase()).digest('base64url')
  const network = ip === null ? 'shared' : networkOf(ip)
  const counted = [
    ...(ip === null ? [] : [{ name: `sign-in:address:${network}`, ...LIMITS.address }]),
    { name: `sign-in:pair:${network}:${who}`, ...LIMITS.accountFromAddress },
    { name: `sign-in:account:${who}`, ...LIMITS.account },
  ]
  for (const [index, { name, failures, seconds }] of counted.entries()) {
    const { used, resetMs } = await counter.hit(name, seconds)
    if (used <= failures) continue
    // A refused attempt counts towards no other limit: a blocked caller cannot use up the limits of others.
    for (const earlier of counted.slice(0, index)) await counter.takeBack(earlier.name)
    throw new RateLimitedError(
      'Too many attempts to sign in. Please wait and try again.',
      Math.max(1, Math.ceil(resetMs / 1000)),
    )
  }
  let isCounted = true
  try {
    const result = await attempt()
    isCounted = result === null
    return result
  } catch (error) {
    isCounted = !wasNotTried(error)
    throw error
  } finally {
    if (!isCounted) for (const { name } of counted) await counter.takeBack(name)
  }
}
