/** Milliseconds between two probes; each takes less. */
const EVERY_MS = 2_000

/**
 * Probes the media server continuously, so that starting a session needs no extra request to know its state.
 */
export class MediaProbe implements Disposable {
  readonly #timer: NodeJS.Timeout

  constructor(media: { probe(): Promise<void> }) {
    void media.probe()
    this.#timer = setInterval(() => void media.probe(), EVERY_MS).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
