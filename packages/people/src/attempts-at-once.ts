import { networkOf, RateLimitedError } from '@troupe/rate-limits'

/** Attempts that wait or are compared at the same time, of one visitor and of all visitors of a peer that may be a proxy. */
const MOST_AT_ONCE = { visitor: 20, peer: 60 } as const

/**
 * Bounds the attempts to sign in that one sender has in this process at once. Passwords are compared in one short queue (two at once, 100
 * waiting), and whoever fills it keeps everybody from signing in. Limits of failures do not prevent that: each attempt may name another
 * account, and a peer of a private network may report another address with each.
 *
 * So the address of the connection counts, too, which cannot be made up. All of its visitors together have more than one visitor and less
 * than the queue, so that other peers find room. There is no hourly limit of failures by peer: behind a real proxy a distributed attack
 * would reach it and lock everybody out, while this limit ends with the attempts that it counts. Guesses at one account
 * are limited whatever addresses are reported (`guess-limits.ts`).
 *
 * The counts are of this process, as the queue is, and change without an `await` between look and change.
 */
export class AttemptsAtOnce {
  readonly #counts = new Map<string, number>()

  /**
   * @param ip of the connection, or as a trusted proxy reported it
   * @param address by which failures are counted; null: many visitors share it
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
