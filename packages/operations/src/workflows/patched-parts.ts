/** The nodes or the edges of a draft while changes are applied to them. */
export class PatchedParts<T extends { id: string }> {
  readonly #parts = new Map<string, T>()
  /** Of new parts: the id of the part that each comes before. */
  readonly #places = new Map<string, string>()

  /** A second part with the same id, which no graph may have, is kept until it is repaired. */
  constructor(parts: readonly T[]) {
    for (const part of parts) {
      this.#parts.set(this.#parts.has(part.id) ? `${part.id} ${this.#parts.size}` : part.id, part)
    }
  }

  put(part: T, before?: string): void {
    if (before !== undefined && !this.#parts.has(part.id)) this.#places.set(part.id, before)
    this.#parts.set(part.id, part)
  }

  remove(id: string): void {
    this.#parts.delete(id)
    this.#places.delete(id)
  }

  /** In their order. One that comes before a part that is not there, or before itself by way of others, comes last. */
  list(): T[] {
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

/** A part behind those that come before it, with those that come before them. Without recursion: chains may be long. */
function withThoseBefore(id: string, ahead: ReadonlyMap<string | undefined, readonly string[]>): string[] {
  const backwards: string[] = []
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    backwards.push(next)
    open.push(...(ahead.get(next) ?? []))
  }
  return backwards.reverse()
}
