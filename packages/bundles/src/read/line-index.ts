/** On which line of a text each value begins. */
export class LineIndex {
  readonly #lines = new Map<string, number>()

  set(path: string, line: number): void {
    this.#lines.set(path, line)
  }

  /** The 1-based line of a value, or of the nearest one around it; null for a text without values. */
  at(path: string): number | null {
    for (let place = path; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('.')))) {
      const line = this.#lines.get(place)
      if (line !== undefined) return line
    }
    return this.#lines.get('') ?? null
  }
}
