import { type metrics, tokenize, tts } from '@livekit/agents'

/**
 * Splits text into sentences for a text to speech without streaming. Sentences keep the spaces between them, which the transcript
 * would otherwise lose.
 */
export class SentenceTts extends tts.StreamAdapter {
  readonly #whole: tts.TTS

  constructor(whole: tts.TTS) {
    super(whole, new tokenize.basic.SentenceTokenizer({ retainFormat: true }))
    this.#whole = whole
  }

  /** The SDK leaves the wrapped text to speech open. */
  override async close(): Promise<void> {
    await super.close()
    await this.#whole.close()
  }

  /** The SDK measures each sentence and also the stream of sentences: characters and audio would be metered twice. */
  override emit: tts.StreamAdapter['emit'] = (event, ...heard) => {
    const [measured] = heard
    if (event === 'metrics_collected' && isOfStream(measured)) return false
    return super.emit(event, ...heard)
  }
}

function isOfStream(measured: unknown): boolean {
  const { streamed }: Partial<metrics.TTSMetrics> = measured ?? {}
  return streamed === true
}
