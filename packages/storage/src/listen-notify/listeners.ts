import type { Signal } from '@troupe/durable-work'

/** The one notification channel; the payload is a {@link Signal} as JSON. */
export const CHANNEL = 'troupe_signals'

/** The subscribers of this process. */
export class Listeners {
  readonly #listeners = new Set<(signal: Signal) => void>()

  add(listener: (signal: Signal) => void): () => void {
    // Wrapped, so that subscribing one function twice creates two subscriptions.
    const own = (signal: Signal) => listener(signal)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** Delivers a signal to every subscriber. */
  tell(signal: Signal): void {
    for (const listener of [...this.#listeners]) listener(signal)
  }

  /**
   * Like {@link tell} for a payload from the channel; unreadable payloads, such as from a newer program, are
   * dropped.
   */
  tellPayload(payload: string): void {
    let signal: Signal
    try {
      signal = JSON.parse(payload) as Signal
    } catch {
      return
    }
    this.tell(signal)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
