const REPLACEMENT = '[hidden]'

/** Hides texts in a text. With `isCut`, the text may end within one of them, and that unfinished end is omitted. */
export type HideTexts = (text: string, isCut?: boolean) => string

/** The ranges of a text to replace, in order and disjoint; `to` is exclusive. */
class Places {
  readonly all: { from: number; to: number }[] = []

  /** Ranges are added in the order of their ends; overlapping ones are merged. */
  add(from: number, to: number): void {
    let start = from
    for (let last = this.all.at(-1); last && last.to > start; last = this.all.at(-1)) {
      start = Math.min(start, last.from)
      this.all.pop()
    }
    this.all.push({ from: start, to })
  }
}

/** More than the number of UTF-16 code units. */
const UNITS = 0x10000

/**
 * The transition table: the next state by state and character. Most states have one successor, which arrays store in
 * the order of the texts.
 */
class Edges {
  readonly #unit: Uint16Array
  /** 0: none. */
  readonly #next: Int32Array
  /** Additional successors of states: at most one per text. */
  readonly #branches = new Map<number, number>()

  constructor(states: number) {
    this.#unit = new Uint16Array(states)
    this.#next = new Int32Array(states)
  }

  /** 0: none. */
  next(state: number, unit: number): number {
    const next = at(this.#next, state)
    if (next === 0 || this.#unit[state] === unit) return next
    return this.#branches.size === 0 ? 0 : (this.#branches.get(state * UNITS + unit) ?? 0)
  }

  add(state: number, unit: number, next: number): void {
    if (this.#next[state] !== 0) {
      this.#branches.set(state * UNITS + unit, next)
      return
    }
    this.#unit[state] = unit
    this.#next[state] = next
  }
}

/** An Aho-Corasick automaton: finds all texts in one pass, even if they overlap. */
class TextFinder {
  readonly #edges: Edges
  /** Per state: the previous state, and the character between them. */
  readonly #parent: Int32Array
  readonly #unit: Uint16Array
  /** Per state: the state of its longest proper suffix that is also a prefix of a text. */
  readonly #fallback: Int32Array
  /** Per state: the number of characters of a text that have been read. */
  readonly #depth: Int32Array
  /** Per state: the length of the longest text that ends here; 0 if none. */
  readonly #found: Int32Array
  #count = 1

  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + length, 1)
    this.#edges = new Edges(most)
    this.#parent = new Int32Array(most)
    this.#unit = new Uint16Array(most)
    this.#fallback = new Int32Array(most)
    this.#depth = new Int32Array(most)
    this.#found = new Int32Array(most)
    for (const text of texts) this.#insert(text)
    for (const state of this.#byDepth()) this.#connect(state)
  }

  #insert(text: string): void {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      const next = this.#edges.next(state, unit) || this.#add(state, unit)
      state = next
    }
    if (state !== 0) this.#found[state] = text.length
  }

  #add(parent: number, unit: number): number {
    const state = this.#count
    this.#count += 1
    this.#edges.add(parent, unit, state)
    this.#parent[state] = parent
    this.#unit[state] = unit
    this.#depth[state] = at(this.#depth, parent) + 1
    return state
  }

  /** All states except the first, in order of increasing depth. */
  #byDepth(): Int32Array {
    const starts = new Int32Array(this.#count + 2)
    for (let state = 1; state < this.#count; state += 1) {
      const place = at(this.#depth, state) + 1
      starts[place] = at(starts, place) + 1
    }
    for (let depth = 1; depth < starts.length; depth += 1) {
      starts[depth] = at(starts, depth) + at(starts, depth - 1)
    }
    const sorted = new Int32Array(this.#count - 1)
    for (let state = 1; state < this.#count; state += 1) {
      const depth = at(this.#depth, state)
      sorted[at(starts, depth)] = state
      starts[depth] = at(starts, depth) + 1
    }
    return sorted
  }

  /** The fallback of a state depends only on shallower states. */
  #connect(state: number): void {
    const parent = at(this.#parent, state)
    const fallback = parent === 0 ? 0 : this.#step(at(this.#fallback, parent), at(this.#unit, state))
    this.#fallback[state] = fallback
    this.#found[state] ||= at(this.#found, fallback)
  }

  #step(from: number, unit: number): number {
    for (let state = from; ; state = at(this.#fallback, state)) {
      const next = this.#edges.next(state, unit)
      if (next !== 0 || state === 0) return next
    }
  }

  /** The ranges of the texts, and the length of the longest prefix of a text at the end. */
  find(text: string): { places: Places; unfinished: number } {
    const places = new Places()
    let state = 0
    for (let end = 0; end < text.length; end += 1) {
      state = this.#step(state, text.charCodeAt(end))
      const length = at(this.#found, state)
      if (length > 0) places.add(end + 1 - length, end + 1)
    }
    return { places, unfinished: at(this.#depth, state) }
  }
}

function at(values: Int32Array | Uint16Array, index: number): number {
  return values[index] ?? 0
}

/**
 * Hides texts in other texts, including in their JSON form. Linear in the length of the text; the automaton is built
 * when the first text is hidden.
 */
export function textHider(hidden: Iterable<string>): HideTexts {
  let finder: TextFinder | null = null
  return (text, isCut = false) => {
    finder ??= new TextFinder([...new Set([...hidden].flatMap(asWritten))])
    const { places, unfinished } = finder.find(text)
    let shown = ''
    let kept = 0
    for (const { from, to } of places.all) {
      shown += text.slice(kept, from) + REPLACEMENT
      kept = to
    }
    const end = isCut ? text.length - unfinished : text.length
    return shown + text.slice(kept, Math.max(kept, end))
  }
}

/** A text, and its JSON form. */
function asWritten(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1)]
}
