/** Milliseconds between two probes; each takes less. */
const EVERY_MS = 2_000

/** Asks the media server again and again whether it answers, so that a start knows it without a request. */
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
