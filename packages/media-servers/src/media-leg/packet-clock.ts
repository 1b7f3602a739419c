const PERIOD_MS = 20

/** Calls back once for every elapsed 20 ms. Timers are late, so each tick catches up. */
export class PacketClock {
  readonly #send: () => void
  #timer: NodeJS.Timeout | null = null
  constructor(send: () => void) {
    this.#send = send
  }

  start(): void {
    if (this.#timer !== null) return
    const startedAt = performance.now()
    let sent = 0
    this.#timer = setInterval(() => {
      for (const due = (performance.now() - startedAt) / PERIOD_MS; sent < due; sent += 1) this.#send()
    }, PERIOD_MS / 2)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
