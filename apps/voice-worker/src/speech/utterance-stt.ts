import { stt, type VAD } from '@livekit/agents'

/** A speech to text that hears whole utterances, which the local VAD finds. */
export class UtteranceStt extends stt.StreamAdapter {
  readonly #whole: stt.STT

  constructor(whole: stt.STT, vad: VAD) {
    super(whole, vad)
    this.#whole = whole
  }

  /** The SDK's adapter leaves what it adapts open. */
  override async close(): Promise<void> {
    await super.close()
    await this.#whole.close()
  }
}
