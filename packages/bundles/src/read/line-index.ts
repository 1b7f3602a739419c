/** More than the levels of any bundle. */
const MAX_TRIES = 200

/** On which line of a text each value begins. */
export class LineIndex {
  readonly #lines: Map<string, number>

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.#lines = new Map(entries)
  }

  /** Each value with its line, for another thread. */
  get entries(): [string, number][] {
    return [...this.#lines]
  }

  set(path: string, line: number): void {
    this.#lines.set(path, line)
  }

  /** The 1-based line of a value, or of the nearest one around it; null for a text without values. */
  at(path: string): number | null {
    let place = path
    // A key may consist of dots, and each look-up reads the whole place.
    for (let tries = 0; tries < MAX_TRIES && place !== ''; tries += 1) {
      const line = this.#lines.get(place)
      if (line !== undefined) return line
      place = place.slice(0, Math.max(0, place.lastIndexOf('.')))
    }
    return this.#lines.get('') ?? null
  }
}
