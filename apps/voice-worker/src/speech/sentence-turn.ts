import type { AudioFrame } from '@livekit/rtc-node'

/** The frames of one sentence, which are kept until the sentence in front of it has ended. */
export class SentenceTurn {
  /** When the sentence in front of this one has ended, or this one was interrupted. */
  readonly come: Promise<void>
  readonly #over = Promise.withResolvers<void>()
  readonly #hear: (frame: AudioFrame) => void
  /** null: what comes now is passed on at once. */
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

  /** When this sentence has ended; never rejects. */
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

  /** Forgets what was said if nobody has heard any of it. */
  takeBack(): boolean {
    if (this.#kept) this.#kept = []
    return this.#kept !== null
  }
}
