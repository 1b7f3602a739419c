/** Whether the process takes work. */
export type Phase = 'booting' | 'ready' | 'draining'

/** Where the process stands, and what must finish before it ends. */
export class Lifecycle {
  #phase: Phase = 'booting'
  readonly #drains: (() => Promise<void>)[] = []

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

  /** Runs every drain at the same time. A failed one does not stop the others. @returns the failures */
  async drain(): Promise<unknown[]> {
    this.beginDrain()
    const results = await Promise.allSettled(this.#drains.map((drain) => drain()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }
}
