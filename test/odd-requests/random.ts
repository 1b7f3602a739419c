/** A repeatable source of choices. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and less than 1 (mulberry32 of Tommy Ettinger, in the public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** True in this fraction of all cases. */
  chance(share: number): boolean {
    return this.next() < share
  }

  /** @throws Error for an empty list */
  of<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)]
    if (value === undefined) throw new Error('a choice of nothing')
    return value
  }
}
