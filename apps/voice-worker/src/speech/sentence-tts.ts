import { type metrics, tokenize, tts } from '@livekit/agents'

/**
 * A text to speech that speaks whole texts, given one sentence at a time. Sentences keep the spaces between them, or the
 * transcript would lose them.
 */
export class SentenceTts extends tts.StreamAdapter {
  readonly #whole: tts.TTS

  constructor(whole: tts.TTS) {
    super(whole, new tokenize.basic.SentenceTokenizer({ retainFormat: true }))
    this.#whole = whole
  }

  /** The SDK leaves the text to speech inside open. */
  override async close(): Promise<void> {
    await super.close()
    await this.#whole.close()
  }

  /** The SDK measures a sentence and again the stream of sentences: characters and audio would be metered twice. */
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
