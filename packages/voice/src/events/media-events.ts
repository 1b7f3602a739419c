import type { MediaEvent } from '../media/media-event.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { applyMediaEvent } from './apply-media-event.ts'

/**
 * Receives events of the media server. The response is sent before an event is applied, because the server drops
 * webhooks with slow responses; reconciliation makes up for an event that is lost with this process.
 */
export class MediaEvents implements AsyncDisposable {
  readonly #parts: VoiceParts
  readonly #pending = new Set<Promise<void>>()

  constructor(parts: VoiceParts) {
    this.#parts = parts
  }

  /** Applies an event in the background. */
  take(event: MediaEvent): void {
    const applied = this.#apply(event)
      .catch((error: unknown) => this.#parts.onFailure('applying an event of the media server', error))
      .finally(() => this.#pending.delete(applied))
    this.#pending.add(applied)
  }

  /** Resolves when every event received so far is applied. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.settled()
  }

  async #apply(event: MediaEvent): Promise<void> {
    const { stores, now } = this.#parts
    if (await stores.events.note(event.id, new Date(now()))) await applyMediaEvent(this.#parts, event)
  }
}
