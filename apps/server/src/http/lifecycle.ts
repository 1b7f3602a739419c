/** Whether the process takes work. */
export type Phase = 'booting' | 'ready' | 'draining'

/** Where the process stands, and what must finish before it ends. */
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

  /** From now on `/readyz` is 503. */
  beginDrain(): void {
    this.#phase = 'draining'
  }

  /** Registers what happens when a part that the process cannot do without has crashed. */
  onBroken(listener: (error: Error) => void): void {
    this.#brokenListeners.push(listener)
  }

  /** A part has crashed for good. */
  broken(error: Error): void {
    for (const listener of this.#brokenListeners) listener(error)
  }

  /** Runs every drain at the same time. A failed one does not stop the others. @returns the failures */
  async drain(): Promise<unknown[]> {
    this.beginDrain()
    const results = await Promise.allSettled(this.#drains.map((drain) => drain()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }
}
