import {
  FAILURE_RULES,
  type FailureKind,
  GUARD_RULES,
  type GuardRule,
  type UnauthenticatedEndpoint,
  VISITORS_OF_A_PEER,
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
   * Counts a request; called before the request reads anything.
   *
   * @throws RateLimitedError
   */
  async admit(endpoint: UnauthenticatedEndpoint, visitor: Visitor): Promise<void> {
    for (const rule of GUARD_RULES[endpoint]) {
      for (const { name, limit, windowSeconds } of countersOf(rule, visitor)) {
        const count = await this.#limiter.hit(name, windowSeconds)
        if (count.used > limit) throw tooMany(count)
      }
    }
  }

  /**
   * Refuses a visitor with too many failures. Two concurrent requests may both pass just below the limit;
   * {@link attempt} is exact.
   *
   * @throws RateLimitedError
   */
  async checkFailures(kind: FailureKind, visitor: Visitor): Promise<void> {
    for (const { name, limit } of countersOf(FAILURE_RULES[kind], visitor)) {
      const count = await this.#limiter.peek(name)
      if (count !== null && count.used >= limit) throw tooMany(count)
    }
  }

  /** Counts a failure. */
  async failed(kind: FailureKind, visitor: Visitor): Promise<void> {
    await this.refusalAfter(kind, visitor)
  }

  /** Counts a failure. @returns the error for a visitor with too many of them, else null */
  async refusalAfter(kind: FailureKind, visitor: Visitor): Promise<RateLimitedError | null> {
    let refusal: RateLimitedError | null = null
    for (const { name, limit, windowSeconds } of countersOf(FAILURE_RULES[kind], visitor)) {
      const count = await this.#limiter.hit(name, windowSeconds)
      if (count.used > limit) refusal ??= tooMany(count)
    }
    return refusal
  }

  /**
   * For guessable secrets: counts the attempt as a failure beforehand and undoes the count when `succeeds` returns true, or when the server
   * was too busy for it. A thousand concurrent guesses therefore get no more attempts than sequential ones.
   *
   * @throws RateLimitedError before `succeeds` is called
   */
  async attempt(kind: FailureKind, visitor: Visitor, succeeds: () => Promise<boolean>): Promise<boolean> {
    const counters = countersOf(FAILURE_RULES[kind], visitor)
    const counted: string[] = []
    for (const { name, limit, windowSeconds } of counters) {
      const count = await this.#limiter.hit(name, windowSeconds)
      if (count.used > limit) {
        // A refused attempt counts towards no other limit.
        for (const earlier of counted) await this.#limiter.takeBack(earlier)
        throw tooMany(count)
      }
      counted.push(name)
    }
    let isCounted = true
    try {
      isCounted = !(await succeeds())
      return !isCounted
    } catch (error) {
      isCounted = !wasNotTried(error)
      throw error
    } finally {
      if (!isCounted) for (const { name } of counters) await this.#limiter.takeBack(name)
    }
  }
}

/** A counter of one rule and visitor. */
export interface Counter {
  /** The name of the counter in the limiter. */
  name: string
  limit: number
  windowSeconds: number
}

/**
 * The counters of a rule, in the order in which they are checked: by the visitor's own address; or by the one that a proxy reports, if any,
 * and then by the peer with a higher limit.
 */
export function countersOf(rule: GuardRule, visitor: Visitor): readonly Counter[] {
  const { limit, windowSeconds } = rule
  const { ip, countedAddress: address } = visitor
  if (rule.per === 'token' || address === ip)
    return [{ name: counterOf(rule, visitor), limit, windowSeconds }]
  const peer = {
    name: `${counterOf(rule, visitor)}|visitors`,
    limit: limit * VISITORS_OF_A_PEER,
    windowSeconds,
  }
  if (address === null) return [peer]
  return [{ name: counterOf(rule, { ...visitor, ip: address }), limit, windowSeconds }, peer]
}

function counterOf({ name, per }: GuardRule, { ip, token }: Visitor): string {
  const parts = [per === 'token' ? null : networkOf(ip), per === 'ip' ? null : nameOfToken(token)]
  return ['guard', name, ...parts.filter((part) => part !== null)].join('|')
}

function tooMany({ resetMs }: Count): RateLimitedError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new RateLimitedError(`Too many requests. Retry in ${seconds} s.`, seconds)
}
