/** Whether the process accepts work. */
export type Phase = 'booting' | 'ready' | 'draining'

/** The state of the process, and the work that must finish before it ends. */
export class Lifecycle {
  #phase: Phase = 'booting'
  readonly #drains: (() => Promise<void>)[] = []
  readonly #brokenListeners: ((error: Error) => void)[] = []

  get phase(): Phase {
    return this.#phase
  }

  /** Called once, when the boot is complete. */
  ready(): void {
    if (this.#phase === 'booting') this.#phase = 'ready'
  }

  /** Registers work that must finish or be cancelled before resources are released. */
  onDrain(drain: () => Promise<void>): void {
    this.#drains.push(drain)
  }

  /** Makes `/readyz` respond with 503. */
  beginDrain(): void {
    this.#phase = 'draining'
  }

  /** Registers the handler for the crash of a required part. */
  onBroken(listener: (error: Error) => void): void {
    this.#brokenListeners.push(listener)
  }

  /** Reports that a part has crashed permanently. */
  broken(error: Error): void {
    for (const listener of this.#brokenListeners) listener(error)
  }

  /**
   * Runs all drains concurrently; a failed one does not stop the others.
   *
   * @returns the failures
   */
  async drain(): Promise<unknown[]> {
    this.beginDrain()
    const results = await Promise.allSettled(this.#drains.map((drain) => drain()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }
}
