const LOOK_EVERY_MS = 1_000
/** Routes that are polled while nobody uses the server. */
const MONITORING: ReadonlySet<string> = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics'])

/** Measures the time since the process was last in use: no open request, no active run. */
export class QuietClock implements Disposable {
  readonly #open = new Set<object>()
  readonly #activeRuns: () => number
  readonly #timer: NodeJS.Timeout
  #busyAt = performance.now()

  constructor(activeRuns: () => number) {
    this.#activeRuns = activeRuns
    this.#timer = setInterval(() => void this.quietMs(), LOOK_EVERY_MS).unref()
  }

  /** A request has started; `route` is its method and pattern. */
  began(request: object, route: string): void {
    if (!MONITORING.has(route)) this.#open.add(request)
  }

  ended(request: object): void {
    if (this.#open.delete(request)) this.#busyAt = performance.now()
  }

  /** Milliseconds since the process was last seen busy; 0 while it is. */
  quietMs(): number {
    const now = performance.now()
    if (this.#open.size > 0 || this.#activeRuns() > 0) this.#busyAt = now
    return now - this.#busyAt
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
