import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { countersOf, RateLimitedError, type RateLimiter, type Visitor } from '@troupe/rate-limits'
import type { PeopleLog } from './people-log.ts'

const MINUTE = 60
/** Limits above which a request is refused; the token is the account. */
const RULES = [
  { name: 'password-reset', per: 'ip', limit: 20, windowSeconds: 15 * MINUTE },
  { name: 'password-reset-account', per: 'ip and token', limit: 3, windowSeconds: 15 * MINUTE },
] as const
/** Limit above which no more mails are sent to the account, regardless of the requester. */
const ACCOUNT = { requests: 5, seconds: 60 * MINUTE } as const
/** Matches every stored address; checked before the database is queried. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@[\x21-\x3f\x41-\x7e]{1,253}$/
/** Maximum mails in progress; further ones are dropped, and their senders can retry. */
const MOST_AT_ONCE = 100

/** The dependencies of password resets. */
export interface PasswordResetParts {
  counter: Pick<RateLimiter, 'hit' | 'takeBack'>
  /** Mails a link if the address has an account; null: this server sends no mail. */
  mail: ((email: string) => Promise<unknown>) | null
  log: PeopleLog
}

/**
 * Requests of signed-out users for a new password. The response waits neither for the lookup nor for the mail, so neither its content nor
 * its time reveals whether an account exists.
 */
export class PasswordResets implements AsyncDisposable {
  readonly #parts: PasswordResetParts
  readonly #sending = new Set<Promise<void>>()

  constructor(parts: PasswordResetParts) {
    this.#parts = parts
  }

  /** Whether links can be mailed. */
  get areMailed(): boolean {
    return this.#parts.mail !== null
  }

  /**
   * Accepts a request, whether or not the address has an account. Without mail, nothing happens.
   *
   * @throws RateLimitedError, the same for existing and unknown accounts
   */
  async request(from: Omit<Visitor, 'token'>, email: string): Promise<void> {
    const { mail, log } = this.#parts
    if (mail === null) return
    if (!(await this.#admit({ ...from, token: email.toLowerCase() })) || !ADDRESS.test(email)) return
    if (this.#sending.size >= MOST_AT_ONCE) {
      log.warn('a password reset was not mailed, because too many are being sent')
      return
    }
    // After the response has been written: the embedded database works on this thread.
    const sending = setImmediate()
      .then(() => mail(email))
      .then(
        () => {},
        (err: unknown) => log.error({ err }, 'a password reset could not be mailed'),
      )
      .finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  /** Waits for the mails in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#sending)
  }

  /** @returns false when the account has had enough mails, regardless of the requesting address */
  async #admit(visitor: Visitor): Promise<boolean> {
    const { counter } = this.#parts
    const counted: string[] = []
    for (const { name, limit, windowSeconds } of RULES.flatMap((rule) => countersOf(rule, visitor))) {
      const { used, resetMs } = await counter.hit(name, windowSeconds)
      if (used > limit) {
        // A refused request does not use up the limit of the address's other accounts.
        for (const earlier of counted) await counter.takeBack(earlier)
        throw new RateLimitedError(
          'Too many requests for a new password. Please wait and try again.',
          Math.max(1, Math.ceil(resetMs / 1000)),
        )
      }
      counted.push(name)
    }
    const who = createHash('sha256').update(visitor.token).digest('base64url')
    return (await counter.hit(`password-reset:account:${who}`, ACCOUNT.seconds)).used <= ACCOUNT.requests
  }
}
