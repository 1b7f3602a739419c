interface Entry<T> {
  part: T
  /** Marks a second part with the same id, which can only be addressed by its position. */
  isRepeat: boolean
  /** Greater than the rank of every part before it. */
  rank: number
  previous: Entry<T> | null
  next: Entry<T> | null
}

/**
 * The nodes or the edges of a draft in order. The cost of a change does not depend on their number. A second part with a taken id, which no
 * valid graph has, keeps its place until the id is removed; lookups by id find only the first one.
 */
export class OrderedParts<T extends { id: string }> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #repeats = new Map<string, Entry<T>[]>()
  #first: Entry<T> | null = null
  #last: Entry<T> | null = null

  constructor(parts: readonly T[]) {
    for (const part of parts) {
      const isRepeat = this.#entries.has(part.id)
      const entry = this.#insert(part, null, isRepeat)
      if (isRepeat) this.#repeats.set(part.id, [...(this.#repeats.get(part.id) ?? []), entry])
      else this.#entries.set(part.id, entry)
    }
  }

  get(id: string): T | null {
    return this.#entries.get(id)?.part ?? null
  }

  isRepeated(id: string): boolean {
    return this.#repeats.has(id)
  }

  /** The id of the part after this one; null if it is the last one or absent. */
  nextOf(id: string): string | null {
    let entry = this.#entries.get(id)?.next ?? null
    while (entry?.isRepeat) entry = entry.next
    return entry?.part.id ?? null
  }

  /** Replaces the part with the same id in place. A new part is inserted before the part `next`, or appended if that is absent. */
  put(part: T, next: string | null): void {
    const known = this.#entries.get(part.id)
    if (known) known.part = part
    else this.#entries.set(part.id, this.#insert(part, this.#entries.get(next ?? '') ?? null, false))
  }

  /** Also removes other parts with the same id. */
  remove(id: string): void {
    const entries = [this.#entries.get(id), ...(this.#repeats.get(id) ?? [])]
    for (const entry of entries) if (entry) this.#unlink(entry)
    this.#entries.delete(id)
    this.#repeats.delete(id)
  }

  /** The parts with these ids in the order of all parts; unknown ids are omitted. */
  among(ids: Iterable<string>): T[] {
    const found = [...ids].flatMap((id) => this.#entries.get(id) ?? [])
    return found.toSorted((a, b) => a.rank - b.rank).map(({ part }) => part)
  }

  list(): T[] {
    const parts: T[] = []
    for (let entry = this.#first; entry !== null; entry = entry.next) parts.push(entry.part)
    return parts
  }

  #insert(part: T, next: Entry<T> | null, isRepeat: boolean): Entry<T> {
    const previous = next === null ? this.#last : next.previous
    const entry: Entry<T> = { part, isRepeat, rank: rankBetween(previous, next), previous, next }
    if (previous === null) this.#first = entry
    else previous.next = entry
    if (next === null) this.#last = entry
    else next.previous = entry
    if (entry.rank === previous?.rank || entry.rank === next?.rank) this.#rankAgain()
    return entry
  }

  /** After about fifty insertions between the last inserted part and the same neighbour, no number is left between their ranks. */
  #rankAgain(): void {
    let rank = 0
    for (let entry = this.#first; entry !== null; entry = entry.next) {
      entry.rank = rank
      rank += 1
    }
  }

  #unlink({ previous, next }: Entry<T>): void {
    if (previous === null) this.#first = next
    else previous.next = next
    if (next === null) this.#last = previous
    else next.previous = previous
  }
}

function rankBetween(previous: { rank: number } | null, next: { rank: number } | null): number {
  if (next === null) return (previous?.rank ?? 0) + 1
  return previous === null ? next.rank - 1 : (previous.rank + next.rank) / 2
}
