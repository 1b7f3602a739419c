/** A part changed by a patch; null: absent. */
export interface PartDifference<T> {
  id: string
  before: T | null
  after: T | null
}

/** The nodes or the edges of a draft while changes are applied to them. */
export class PatchedParts<T extends { id: string }> {
  readonly #parts = new Map<string, T>()
  /** Of new parts: the id of the part before which each is inserted. */
  readonly #places = new Map<string, string>()

  /** Keys of further parts with a taken id. */
  readonly #repeats = new Map<string, string[]>()
  /** The former state of each part that was put or removed; null: it is new. */
  readonly #former = new Map<string, T | null>()

  /** A further part with the same id, which no graph may have, is kept until the id is removed. */
  constructor(parts: readonly T[]) {
    for (const part of parts) {
      const isRepeat = this.#parts.has(part.id)
      const key = isRepeat ? `${part.id} ${this.#parts.size}` : part.id
      if (isRepeat) this.#repeats.set(part.id, [...(this.#repeats.get(part.id) ?? []), key])
      this.#parts.set(key, part)
    }
  }

  /** The parts that differ from their former state. */
  differences(): PartDifference<T>[] {
    return [...this.#former].flatMap(([id, before]) => {
      const after = this.#parts.get(id) ?? null
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ id, before, after }]
    })
  }

  #note(id: string): void {
    if (!this.#former.has(id)) this.#former.set(id, this.#parts.get(id) ?? null)
  }

  put(part: T, before?: string): void {
    this.#note(part.id)
    if (before !== undefined && !this.#parts.has(part.id)) this.#places.set(part.id, before)
    this.#parts.set(part.id, part)
  }

  remove(id: string): void {
    this.#note(id)
    this.#parts.delete(id)
    this.#places.delete(id)
    for (const key of this.#repeats.get(id) ?? []) this.#parts.delete(key)
    this.#repeats.delete(id)
  }

  /** In their order. A part before a missing one, or in a cycle, comes last. */
  list(): T[] {
    if (this.#places.size === 0) return [...this.#parts.values()]
    const ahead = Map.groupBy(this.#places.keys(), (id) => this.#places.get(id))
    const hasPlace = (id: string) => this.#parts.has(this.#places.get(id) ?? '')
    const placed = new Set<string>()
    for (const id of this.#parts.keys()) {
      if (hasPlace(id)) continue
      for (const one of withThoseBefore(id, ahead)) placed.add(one)
    }
    return [...new Set([...placed, ...this.#parts.keys()])].flatMap((id) => this.#parts.get(id) ?? [])
  }
}

/** A part after the parts that come before it, transitively. Without recursion, because chains may be long. */
function withThoseBefore(id: string, ahead: ReadonlyMap<string | undefined, readonly string[]>): string[] {
  const backwards: string[] = []
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    backwards.push(next)
    open.push(...(ahead.get(next) ?? []))
  }
  return backwards.reverse()
}
