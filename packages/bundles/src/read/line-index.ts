/** Deeper than any valid bundle. */
const MAX_TRIES = 200

/** The line on which each value begins. */
export class LineIndex {
  readonly #lines: Map<string, number>

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.#lines = new Map(entries)
  }

  /** Each value with its line, in a form that can be sent to another process. */
  get entries(): [string, number][] {
    return [...this.#lines]
  }

  set(path: string, line: number): void {
    this.#lines.set(path, line)
  }

  /** The 1-based line of a value, or of its nearest ancestor; null for a text without values. */
  at(path: string): number | null {
    let place = path
    // A key may contain dots, and each lookup reads the complete path.
    for (let tries = 0; tries < MAX_TRIES && place !== ''; tries += 1) {
      const line = this.#lines.get(place)
      if (line !== undefined) return line
      place = place.slice(0, Math.max(0, place.lastIndexOf('.')))
    }
    return this.#lines.get('') ?? null
  }
}
