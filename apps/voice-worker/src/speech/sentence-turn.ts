import type { AudioFrame } from '@livekit/rtc-node'

/** The frames of one sentence, buffered until the previous sentence has ended. */
export class SentenceTurn {
  /** Resolves when the previous sentence has ended, or this one was interrupted. */
  readonly come: Promise<void>
  readonly #over = Promise.withResolvers<void>()
  readonly #hear: (frame: AudioFrame) => void
  /** null: frames are passed on immediately. */
  #kept: AudioFrame[] | null = []

  constructor(before: Promise<void>, signal: AbortSignal, hear: (frame: AudioFrame) => void) {
    this.#hear = hear
    const interrupted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    this.come = Promise.race([before, interrupted]).then(() => {
      const kept = this.#kept ?? []
      this.#kept = null
      if (!signal.aborted) for (const frame of kept) hear(frame)
    })
  }

  /** Resolves when this sentence has ended; never rejects. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  end(): void {
    this.#over.resolve()
  }

  hear(frame: AudioFrame): void {
    if (this.#kept) this.#kept.push(frame)
    else this.#hear(frame)
  }

  /** Discards the buffered frames if none was passed on. */
  takeBack(): boolean {
    if (this.#kept) this.#kept = []
    return this.#kept !== null
  }
}
