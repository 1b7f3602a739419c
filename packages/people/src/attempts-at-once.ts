import { networkOf, RateLimitedError } from '@troupe/rate-limits'

/** Maximum waiting or running attempts, of one visitor and of all visitors of a peer that may be a proxy. */
const MOST_AT_ONCE = { visitor: 20, peer: 60 } as const

/**
 * Bounds the concurrent sign-in attempts of one sender in this process. Passwords are compared in one short queue (two at once, 100
 * waiting), and a sender that fills it blocks all other sign-ins. Limits of failures do not prevent that: each attempt may name another
 * account, and a peer of a private network may report another address with each.
 *
 * So the address of the connection, which cannot be forged, is limited too. All of its visitors together have more than one visitor and
 * less than the queue, so that other peers find room. There is no hourly limit of failures by peer: behind a real proxy a distributed
 * attack would reach it and lock everybody out, while this limit ends with the attempts that it counts. Guesses at one account are limited
 * whatever addresses are reported (`guess-limits.ts`).
 *
 * The counts belong to this process, like the queue, and are checked and changed without an `await` in between.
 */
export class AttemptsAtOnce {
  readonly #counts = new Map<string, number>()

  /**
   * @param ip of the connection, or as a trusted proxy reported it
   * @param address by which failures are counted; null: shared by many visitors
   * @throws RateLimitedError before `attempt` is called
   */
  async run<T>(
    { ip, address }: { ip: string; address: string | null },
    attempt: () => Promise<T>,
  ): Promise<T> {
    const places: { name: string; most: number }[] = []
    if (address !== null) places.push({ name: `visitor ${networkOf(address)}`, most: MOST_AT_ONCE.visitor })
    if (address !== ip) places.push({ name: `peer ${networkOf(ip)}`, most: MOST_AT_ONCE.peer })
    if (places.some(({ name, most }) => (this.#counts.get(name) ?? 0) >= most)) {
      throw new RateLimitedError('Too many attempts to sign in at the same time. Please try again.', 1)
    }
    for (const { name } of places) this.#change(name, 1)
    try {
      return await attempt()
    } finally {
      for (const { name } of places) this.#change(name, -1)
    }
  }

  #change(name: string, by: number): void {
    const count = (this.#counts.get(name) ?? 0) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}
