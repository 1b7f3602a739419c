import {
  FAILURE_RULES,
  type FailureKind,
  GUARD_RULES,
  type GuardRule,
  type UnauthenticatedEndpoint,
} from './guard-rules.ts'
import { RateLimitedError } from './rate-limited-error.ts'
import type { Count, RateLimiter } from './rate-limiter.ts'
import { nameOfToken, networkOf, type Visitor } from './visitor.ts'
import { wasNotTried } from './was-not-tried.ts'

/** Limits of endpoints that need no key, by the visitor's address and by the requested token. */
export class Guard {
  readonly #limiter: Pick<RateLimiter, 'hit' | 'peek' | 'takeBack'>

  constructor(limiter: Pick<RateLimiter, 'hit' | 'peek' | 'takeBack'>) {
    this.#limiter = limiter
  }

  /**
   * Counts a request; called before anything is read for it.
   *
   * @throws RateLimitedError
   */
  async admit(endpoint: UnauthenticatedEndpoint, visitor: Visitor): Promise<void> {
    for (const rule of GUARD_RULES[endpoint]) {
      const count = await this.#limiter.hit(counterOf(rule, visitor), rule.windowSeconds)
      if (count.used > rule.limit) throw tooMany(count)
    }
  }

  /**
   * Refuses a visitor with too many failures. Two concurrent requests may both pass just below the limit;
   * {@link attempt} is exact.
   *
   * @throws RateLimitedError
   */
  async checkFailures(kind: FailureKind, visitor: Visitor): Promise<void> {
    const rule = FAILURE_RULES[kind]
    const count = await this.#limiter.peek(counterOf(rule, visitor))
    if (count !== null && count.used >= rule.limit) throw tooMany(count)
  }

  /** Counts a failure. */
  async failed(kind: FailureKind, visitor: Visitor): Promise<void> {
    const rule = FAILURE_RULES[kind]
    await this.#limiter.hit(counterOf(rule, visitor), rule.windowSeconds)
  }

  /** Counts a failure. @returns the error for a visitor with too many of them, else null */
  async refusalAfter(kind: FailureKind, visitor: Visitor): Promise<RateLimitedError | null> {
    const rule = FAILURE_RULES[kind]
    const count = await this.#limiter.hit(counterOf(rule, visitor), rule.windowSeconds)
    return count.used > rule.limit ? tooMany(count) : null
  }

  /**
   * For guessable secrets: counts the attempt as a failure beforehand and takes it back when `succeeds`
   * returns true, or when the server had no time for it. A thousand concurrent guesses therefore get no more attempts than sequential ones.
   *
   * @throws RateLimitedError before `succeeds` is called
   */
  async attempt(kind: FailureKind, visitor: Visitor, succeeds: () => Promise<boolean>): Promise<boolean> {
    const rule = FAILURE_RULES[kind]
    const name = counterOf(rule, visitor)
    const count = await this.#limiter.hit(name, rule.windowSeconds)
    if (count.used > rule.limit) throw tooMany(count)
    let isCounted = true
    try {
      isCounted = !(await succeeds())
      return !isCounted
    } catch (error) {
      isCounted = !wasNotTried(error)
      throw error
    } finally {
      if (!isCounted) await this.#limiter.takeBack(name)
    }
  }
}

function counterOf({ name, per }: GuardRule, { ip, token }: Visitor): string {
  const parts = [per === 'token' ? null : networkOf(ip), per === 'ip' ? null : nameOfToken(token)]
  return ['guard', name, ...parts.filter((part) => part !== null)].join('|')
}

function tooMany({ resetMs }: Count): RateLimitedError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new RateLimitedError(`Too many requests. Retry in ${seconds} s.`, seconds)
}
