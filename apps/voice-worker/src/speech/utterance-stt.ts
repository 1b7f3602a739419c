import { stt, type VAD } from '@livekit/agents'

/** A speech to text of whole utterances, delimited by the local VAD. */
export class UtteranceStt extends stt.StreamAdapter {
  readonly #whole: stt.STT

  constructor(whole: stt.STT, vad: VAD) {
    super(whole, vad)
    this.#whole = whole
  }

  /** The SDK's adapter leaves the wrapped one open. */
  override async close(): Promise<void> {
    await super.close()
    await this.#whole.close()
  }
}
