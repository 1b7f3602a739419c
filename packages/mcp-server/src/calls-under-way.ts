/**
 * The calls in progress in this process, so that a cancel notification, which is a separate request, finds them. The key consists of the
 * caller's API key, session and request id: request ids alone repeat between clients.
 */
export class CallsUnderWay {
  readonly #calls = new Map<string, AbortController>()

  /** Runs work whose signal is also aborted by a cancel. */
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
