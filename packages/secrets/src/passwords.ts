import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/bcrypt'
import { type HeavyWork, NOBODY } from '@troupe/heavy-work'

/** bcrypt ignores input beyond these bytes, and anything after a NUL. */
const BCRYPT_BYTES = 72
/** About a quarter of a second of one core per attempt. */
const COST = 12
/** Salt and digest that no password matches. */
const NOBODY_DIGEST = 'FQkulMJbvX46BDN/u09kR.0GjJUHwq1A9s2esnHXH.Q2wQXzpuqfO'

/** Hashes and verifies passwords, queued if there are many. */
export interface PasswordHashes {
  /**
   * A bcrypt hash, which includes its cost and salt.
   *
   * @throws BusyError when the queue is full
   */
  hash(password: string): Promise<string>
  /**
   * Whether a password matches a hash. null stands for a missing account: the check takes equally long and
   * never matches.
   *
   * @throws BusyError when the queue is full
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>
}

/** Hashes and verifies the passwords of users and forms. */
export interface Passwords extends PasswordHashes {
  /** The same, in the queue of an organization (`owner`, its id), for its forms and bundles. Sign-ins have a separate queue. */
  of(owner: string): PasswordHashes
}

/** @param cost logarithm of bcrypt's rounds, 4 to 31; lower than the default only in tests */
export function createPasswords(heavy: HeavyWork, { cost = COST }: { cost?: number } = {}): Passwords {
  const nobody = `$2b$${String(cost).padStart(2, '0')}$${NOBODY_DIGEST}`
  const inQueueOf = (owner: string): PasswordHashes => {
    const inTurn = <T>(task: () => Promise<T>) => heavy.run({ kind: 'password', owner }, task)
    return {
      hash: (password) => inTurn(() => hash(bcryptInput(password), { cost, rejectLongPasswords: true })),
      async matches(password, passwordHash) {
        const isEqual = await inTurn(() => verify(bcryptInput(password), passwordHash ?? nobody))
        return passwordHash !== null && isEqual
      },
    }
  }
  return { ...inQueueOf(NOBODY), of: inQueueOf }
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
