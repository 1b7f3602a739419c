/**
 * The calls that this process works on, so that a cancel notification, which is a request of its own, finds them. The
 * key has the caller's API key, session and request id: ids of requests alone repeat between clients.
 */
export class CallsUnderWay {
  readonly #calls = new Map<string, AbortController>()

  /** Does work whose signal a cancel aborts, too. */
  async during<T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    this.#calls.set(key, controller)
    try {
      return await work(AbortSignal.any([signal, controller.signal]))
    } finally {
      if (this.#calls.get(key) === controller) this.#calls.delete(key)
    }
  }

  /** Does nothing when the call has ended or is unknown. */
  cancel(key: string): void {
    this.#calls.get(key)?.abort()
  }
}
