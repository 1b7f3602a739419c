import { hash, verify } from '@node-rs/bcrypt'
import { RateLimitedError } from '@troupe/rate-limits'
import { Semaphore } from '@troupe/turns'

/** bcrypt reads no further: a longer password would be cut in silence. */
const MAX_PASSWORD_BYTES = 72
const COST = 12
/**
 * bcrypt takes a quarter of a second of a thread of libuv, which files and names need as well: two at a time, and a queue
 * that a flood cannot make endless.
 */
const AT_ONCE = 2
const MAX_WAITING = 100

/** The hash of no password, so that an unknown user name takes as long as a known one. */
const NOBODY = '$2b$12$FQkulMJbvX46BDN/u09kR.0GjJUHwq1A9s2esnHXH.Q2wQXzpuqfO'

/** Why a text cannot be the password of a form; null when it can. */
export function formPasswordFault(password: string): string | null {
  if (password === '') return 'must not be empty'
  if (password.includes('\0')) return 'must not contain NUL characters'
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES
    ? `must have at most ${MAX_PASSWORD_BYTES} bytes in UTF-8`
    : null
}

const places = new Semaphore(AT_ONCE)

/** @throws RateLimitedError when too many are waiting already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (places.waiting >= MAX_WAITING) {
    throw new RateLimitedError('Too many passwords are being checked. Retry in 5 s.', 5)
  }
  return places.run(work)
}

/** Hashes a password that has no {@link formPasswordFault}. */
export function hashFormPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, { cost: COST, rejectLongPasswords: true }))
}

/**
 * Whether a password belongs to a hash. `null` stands for nobody's hash: it takes as long, and nothing matches.
 *
 * @throws RateLimitedError when too many are waiting already
 */
export async function isFormPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (formPasswordFault(password) !== null) return false
  const isEqual = await inTurn(() => verify(password, passwordHash ?? NOBODY))
  return passwordHash !== null && isEqual
}
