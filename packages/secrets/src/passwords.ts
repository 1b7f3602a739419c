import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/bcrypt'
import { RateLimitedError } from '@troupe/rate-limits'
import { Semaphore } from '@troupe/turns'

/** bcrypt ignores input beyond these bytes, and anything after a NUL. */
const BCRYPT_BYTES = 72
/** About a quarter of a second of one core per attempt. */
const COST = 12
/** Hashing occupies a libuv thread, a pool shared with files and DNS, so only two hashes run concurrently. */
const AT_ONCE = 2
const MAX_WAITING = 100
/** Salt and digest that no password matches. */
const NOBODY = 'FQkulMJbvX46BDN/u09kR.0GjJUHwq1A9s2esnHXH.Q2wQXzpuqfO'

/** Hashes and verifies the passwords of users and forms. */
export interface Passwords {
  /**
   * A bcrypt hash, which carries its cost and salt.
   *
   * @throws RateLimitedError when the queue is full
   */
  hash(password: string): Promise<string>
  /**
   * Whether a password matches a hash. null stands for a missing account: the check takes equally long and
   * never matches.
   *
   * @throws RateLimitedError when the queue is full
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
 * Normalises the text, because equal characters may be typed as different code points. Input that bcrypt
 * would truncate is replaced by its digest, with a prefix so that digests leaked elsewhere cannot be used as
 * passwords.
 */
function bcryptInput(password: string): string {
  const text = password.normalize('NFKC')
  if (Buffer.byteLength(text) <= BCRYPT_BYTES && !text.includes('\0')) return text
  return createHash('sha384').update('troupe password\0').update(text).digest('base64')
}

/** Runs at most {@link AT_ONCE} tasks concurrently; the queue is bounded. */
function createTurns() {
  const places = new Semaphore(AT_ONCE)
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (places.waiting >= MAX_WAITING) {
      throw new RateLimitedError('Too many passwords are being checked. Retry in 5 s.', 5)
    }
    return places.run(task)
  }
}
