const REPLACEMENT = '[hidden]'
/** More than the number of UTF-16 code units. */
const UNITS = 0x10000

/** Hides texts in a text; `isCut`: the text may end within one of them, and its unfinished end is left out. */
export type HideTexts = (text: string, isCut?: boolean) => string

/** The places of a text that are replaced, in order and apart from each other; `to` is behind the last character. */
class Places {
  readonly all: { from: number; to: number }[] = []

  /** Places come in the order of their ends; those that overlap become one. */
  add(from: number, to: number): void {
    let start = from
    for (let last = this.all.at(-1); last && last.to > start; last = this.all.at(-1)) {
      start = Math.min(start, last.from)
      this.all.pop()
    }
    this.all.push({ from: start, to })
  }
}

/** The automaton of Aho and Corasick: finds every text in one pass, whatever the texts have in common. */
class TextFinder {
  /** The next state by state and character. */
  readonly #next = new Map<number, number>()
  /** Per state: the state of the longest end that begins a text, too. */
  readonly #fallback = [0]
  /** Per state: how many characters of a text it has read. */
  readonly #depth = [0]
  /** Per state: the length of the longest text that ends here; 0 for none. */
  readonly #found = [0]

  constructor(texts: Iterable<string>) {
    const edges: [from: number, unit: number, to: number][] = []
    for (const text of texts) this.#insert(text, edges)
    // The fallback of a state depends on those of shallower states only.
    edges.sort(([, , one], [, , other]) => this.#at(this.#depth, one) - this.#at(this.#depth, other))
    for (const [from, unit, to] of edges) {
      const fallback = from === 0 ? 0 : this.#step(this.#at(this.#fallback, from), unit)
      this.#fallback[to] = fallback
      this.#found[to] ||= this.#at(this.#found, fallback)
    }
  }

  #insert(text: string, edges: [number, number, number][]): void {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      let next = this.#next.get(state * UNITS + unit)
      if (next === undefined) {
        next = this.#depth.length
        this.#next.set(state * UNITS + unit, next)
        this.#depth.push(at + 1)
        this.#found.push(0)
        this.#fallback.push(0)
        edges.push([state, unit, next])
      }
      state = next
    }
    if (state !== 0) this.#found[state] = text.length
  }

  #at(values: readonly number[], state: number): number {
    return values[state] ?? 0
  }

  #step(from: number, unit: number): number {
    for (let state = from; ; state = this.#at(this.#fallback, state)) {
      const next = this.#next.get(state * UNITS + unit)
      if (next !== undefined) return next
      if (state === 0) return 0
    }
  }

  /** Where the texts are, and the length of the longest start of one with which the text ends. */
  find(text: string): { places: Places; unfinished: number } {
    const places = new Places()
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = this.#step(state, text.charCodeAt(at))
      const length = this.#at(this.#found, state)
      if (length > 0) places.add(at + 1 - length, at + 1)
    }
    return { places, unfinished: this.#at(this.#depth, state) }
  }
}

/**
 * Hides texts in others, also as JSON writes them. Takes time linear in the length of what is read, in which it is
 * prepared with the first text.
 */
export function textHider(hidden: Iterable<string>): HideTexts {
  let finder: TextFinder | null = null
  return (text, isCut = false) => {
    finder ??= new TextFinder([...hidden].flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]))
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
