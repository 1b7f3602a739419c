import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/bcrypt'
import { RateLimitedError } from '@troupe/rate-limits'
import { Semaphore } from '@troupe/turns'

/** bcrypt ignores what follows these bytes, and what follows a NUL. */
const BCRYPT_BYTES = 72
/** About a quarter of a second of one core for each guess. */
const COST = 12
/** A hash occupies a thread of libuv, which files and DNS need as well, so only two run at a time. */
const AT_ONCE = 2
const MAX_WAITING = 100
/** Salt and digest of no password. */
const NOBODY = 'FQkulMJbvX46BDN/u09kR.0GjJUHwq1A9s2esnHXH.Q2wQXzpuqfO'

/** Hashes and checks the passwords of people and of forms. */
export interface Passwords {
  /**
   * A bcrypt hash, which carries its cost and salt.
   *
   * @throws RateLimitedError when too many passwords are waiting already
   */
  hash(password: string): Promise<string>
  /**
   * Whether a password belongs to a hash. null stands for an account that does not exist: it takes as long and never
   * matches.
   *
   * @throws RateLimitedError when too many passwords are waiting already
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>
}

/** @param cost logarithm of bcrypt's rounds, 4 to 31; lower than the default only in tests */
export function createPasswords({ cost = COST }: { cost?: number } = {}): Passwords {
  const inTurn = createTurns()
  const nobody = `$2b$${String(cost).padStart(2, '0')}$${NOBODY}`
  return {
    hash: (password) => inTurn(() => hash(bcryptInput(password), { cost, rejectLongPasswords: true })),
    async matches(password, passwordHash) {
      const isEqual = await inTurn(() => verify(bcryptInput(password), passwordHash ?? nobody))
      return passwordHash !== null && isEqual
    },
  }
}

/**
 * The same characters may be typed as different code points, so they are normalised. What bcrypt would cut is replaced by
 * its digest, with a prefix that keeps digests leaked elsewhere from being used here.
 */
function bcryptInput(password: string): string {
  const text = password.normalize('NFKC')
  if (Buffer.byteLength(text) <= BCRYPT_BYTES && !text.includes('\0')) return text
  return createHash('sha384').update('troupe password\0').update(text).digest('base64')
}

/** Runs at most {@link AT_ONCE} tasks at a time; the queue of the rest is bounded. */
function createTurns() {
  const places = new Semaphore(AT_ONCE)
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (places.waiting >= MAX_WAITING) {
      throw new RateLimitedError('Too many passwords are being checked. Retry in 5 s.', 5)
    }
    return places.run(task)
  }
}
