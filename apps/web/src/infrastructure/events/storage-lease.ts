/** The duration of a lease without renewal, in milliseconds. */
const LEASE_MS = 6_000
/** Milliseconds between two renewals. */
export const RENEW_MS = 2_000

type Stored = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * A lease in the browser's storage, held by one tab at a time: the equivalent of a Web Lock, which requires https.
 *
 * Two tabs that acquire a free lease simultaneously both believe that they hold it, until the first renewal finds the other's: for
 * up to two seconds. A long hidden tab renews too rarely, and a visible one takes over.
 */
export class StorageLease {
  readonly #key: string
  readonly #tab: string
  readonly #storage: Stored
  readonly #now: () => number

  constructor(key: string, tab: string, storage: Stored, now: () => number) {
    this.#key = key
    this.#tab = tab
    this.#storage = storage
    this.#now = now
  }

  /**
   * Takes or renews the lease; false while another tab has it. A browser that stores nothing grants it to every tab.
   */
  hold(): boolean {
    try {
      const { tab, until } = this.#read()
      const left = until - this.#now()
      // If more than a whole lease is left, the clock was set back, and the lease is invalid.
      if (tab !== this.#tab && left > 0 && left <= LEASE_MS) return false
      this.#storage.setItem(this.#key, `${this.#tab} ${this.#now() + LEASE_MS}`)
      return true
    } catch {
      return true
    }
  }

  /** Releases the lease, if this tab has it. */
  release(): void {
    try {
      if (this.#read().tab === this.#tab) this.#storage.removeItem(this.#key)
    } catch {
      // Nothing is stored.
    }
  }

  #read(): { tab: string; until: number } {
    const [tab = '', until = ''] = (this.#storage.getItem(this.#key) ?? '').split(' ')
    return { tab, until: Number(until) }
  }
}
