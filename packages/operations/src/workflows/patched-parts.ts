import { storableJson } from '@troupe/storage'
import type { PartsPatch, PartTexts } from './part-texts.ts'

/** A part changed by a patch; null: absent. */
export interface PartDifference<T> {
  id: string
  before: T | null
  after: T | null
}

/** The nodes or the edges of a draft while changes are applied. The cost only depends on the changes. */
export class PatchedParts<T extends { id: string }> {
  readonly #stored: PartTexts<T>
  /** Keys of stored parts that have left their place. */
  readonly #gone = new Set<string>()
  /** Stored parts whose content changed in place. */
  readonly #changed = new Map<string, T>()
  /** New parts, in the order in which they were first put. */
  readonly #added = new Map<string, T>()
  /** For each new part: the id of the part before which it is inserted. */
  readonly #places = new Map<string, string>()
  /** The ids of put and removed parts. */
  readonly #named = new Set<string>()

  constructor(stored: PartTexts<T>) {
    this.#stored = stored
  }

  /** The parts that differ from their stored state. */
  differences(): PartDifference<T>[] {
    return [...this.#named].flatMap((id) => {
      const after = this.#added.get(id) ?? this.#changed.get(id)
      const former = this.#stored.textOf(id)
      const later = after === undefined ? (this.#isStored(id) ? former : null) : storableJson(after)
      return former === later ? [] : [{ id, before: parsed<T>(former), after: parsed<T>(later) }]
    })
  }

  put(part: T, before?: string): void {
    const { id } = part
    this.#named.add(id)
    if (this.#isStored(id)) {
      this.#changed.set(id, part)
      return
    }
    if (before !== undefined && !this.#added.has(id)) this.#places.set(id, before)
    this.#added.set(id, part)
  }

  /** Also removes further parts with the same id. */
  remove(id: string): void {
    this.#named.add(id)
    this.#changed.delete(id)
    this.#added.delete(id)
    this.#places.delete(id)
    for (const key of [id, ...this.#stored.repeatsOf(id)]) if (this.#stored.has(key)) this.#gone.add(key)
  }

  /** The difference from the stored parts. */
  patch(): PartsPatch<T> {
    const ofPart = Map.groupBy(this.#places.keys(), (id) => this.#places.get(id))
    const ahead = new Map<string, string[]>()
    for (const id of ofPart.keys()) {
      if (id !== undefined && this.#isStored(id)) ahead.set(id, thoseBefore(id, ofPart))
    }
    const placed = new Set([...ahead.values()].flat())
    const last = new Set<string>()
    for (const id of this.#added.keys()) {
      const before = this.#places.get(id)
      const isBefore = before !== undefined && (this.#added.has(before) || this.#isStored(before))
      if (!isBefore) for (const one of [...thoseBefore(id, ofPart), id]) last.add(one)
    }
    // Parts that form a cycle.
    for (const id of this.#added.keys()) if (!placed.has(id)) last.add(id)
    return { gone: this.#gone, ahead, last: [...last], changed: new Map([...this.#changed, ...this.#added]) }
  }

  #isStored(key: string): boolean {
    return this.#stored.has(key) && !this.#gone.has(key)
  }
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : JSON.parse(text)
}

/** The parts that come before a part, transitively. Without recursion, because chains may be long. */
function thoseBefore(id: string, ahead: ReadonlyMap<string | undefined, readonly string[]>): string[] {
  const backwards: string[] = []
  const open = [...(ahead.get(id) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    backwards.push(next)
    open.push(...(ahead.get(next) ?? []))
  }
  return backwards.reverse()
}
