interface Entry<T> {
  part: T
  /** Of a second part with the same id, which only its own position addresses. */
  isRepeat: boolean
  /** Greater than that of every part before it. */
  rank: number
  previous: Entry<T> | null
  next: Entry<T> | null
}

/**
 * The nodes or the edges of a draft in their order. A change costs the same however many there are. A second part with an id that
 * is taken, which no valid graph has, keeps its place until the id is removed; only the first one is found by its id.
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

  /** The id of the part behind one; null: it is the last one, or not there. */
  nextOf(id: string): string | null {
    let entry = this.#entries.get(id)?.next ?? null
    while (entry?.isRepeat) entry = entry.next
    return entry?.part.id ?? null
  }

  /** Replaces the part with the same id at its place; a new one comes before the part `next`, or last when that is not there. */
  put(part: T, next: string | null): void {
    const known = this.#entries.get(part.id)
    if (known) known.part = part
    else this.#entries.set(part.id, this.#insert(part, this.#entries.get(next ?? '') ?? null, false))
  }

  /** With those that have the same id. */
  remove(id: string): void {
    const entries = [this.#entries.get(id), ...(this.#repeats.get(id) ?? [])]
    for (const entry of entries) if (entry) this.#unlink(entry)
    this.#entries.delete(id)
    this.#repeats.delete(id)
  }

  /** The parts with these ids in the order of all; ids of none are left out. */
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

  /** After about fifty parts that each came between the last one and the same neighbour, no number is left between them. */
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
