/** The topics wanted by each tab of the browser. */
export class SharedTopics {
  readonly #byTab = new Map<string, readonly string[]>()

  /** Sets the wanted topics of a tab; empty for a closed or hidden one. */
  set(tab: string, topics: readonly string[]): void {
    if (topics.length === 0) this.#byTab.delete(tab)
    else this.#byTab.set(tab, topics)
  }

  /** Whether a tab wants anything. */
  has(tab: string): boolean {
    return this.#byTab.has(tab)
  }

  /** Every wanted topic once, in order, so that equal wishes are equal texts. At most 50, as the server allows. */
  all(): string[] {
    return [...new Set([...this.#byTab.values()].flat())].sort().slice(0, 50)
  }
}

/** Milliseconds before another attempt after a refused or broken connection: 2 s doubling up to 60 s. */
export function reconnectMs(attempt: number): number {
  return Math.min(60_000, 2_000 * 2 ** attempt)
}

/** The topics of a connection that the previous one did not have. */
export function newTopics(before: readonly string[], now: readonly string[]): string[] {
  return now.filter((topic) => !before.includes(topic))
}
