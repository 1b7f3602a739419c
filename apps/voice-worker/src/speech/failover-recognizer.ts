import { APIConnectionError, type AudioBuffer, log, stt } from '@livekit/agents'

/** How long a failed recogniser has the lowest priority. */
const REST_MS = 30_000

/** Time limit for a recogniser that has a fallback; the SDK abandons an utterance after four seconds. */
const ATTEMPT_MS = 3_000

interface Recognizer {
  stt: stt.STT
  /** The end of its lowest priority, in milliseconds since the epoch. */
  restsUntil: number
}

/**
 * Several recognisers of whole utterances: if one fails, the next one gets the same utterance. The SDK's own fallback switches
 * between streams, and would lose the speech in between.
 */
export class FailoverRecognizer extends stt.STT {
  override label = 'troupe.failover'
  readonly #recognizers: readonly Recognizer[]
  readonly #onFailover: () => void
  #active: stt.STT

  constructor([first, ...others]: readonly [stt.STT, ...stt.STT[]], onFailover: () => void) {
    super({ streaming: false, interimResults: false })
    this.#active = first
    this.#onFailover = onFailover
    this.#recognizers = [first, ...others].map((one) => ({ stt: one, restsUntil: 0 }))
    for (const { stt: one } of this.#recognizers) {
      one.on('metrics_collected', (metrics) => this.emit('metrics_collected', metrics))
    }
  }

  override get model(): string {
    return this.#active.model
  }

  override get provider(): string {
    return this.#active.provider
  }

  /** Adds no metrics of its own: those of the successful recogniser are passed on. */
  override recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    return this._recognize(buffer, signal)
  }

  /** @throws APIConnectionError if all of them fail */
  protected override async _recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    const recognizers = this.#inOrder()
    for (const recognizer of recognizers) {
      try {
        const heard = await recognized(recognizer.stt, buffer, {
          signal,
          ms: recognizer === recognizers.at(-1) ? null : ATTEMPT_MS,
        })
        this.#active = recognizer.stt
        if (recognizer !== this.#recognizers[0]) this.#onFailover()
        return heard
      } catch (error) {
        if (signal?.aborted) throw error
        log().warn({ error, stt: recognizer.stt.label }, 'a speech-to-text provider failed')
        recognizer.restsUntil = Date.now() + REST_MS
      }
    }
    throw new APIConnectionError({ message: 'All speech-to-text providers failed.' })
  }

  #inOrder(): Recognizer[] {
    const now = Date.now()
    const isResting = ({ restsUntil }: Recognizer) => restsUntil > now
    return [
      ...this.#recognizers.filter((one) => !isResting(one)),
      ...this.#recognizers.filter((one) => isResting(one)),
    ]
  }

  override stream(): stt.SpeechStream {
    throw new Error('a recogniser of whole utterances does not stream')
  }

  override async close(): Promise<void> {
    await Promise.all(this.#recognizers.map(({ stt: one }) => one.close()))
  }
}

/** `ms`: the time limit; null: none. */
async function recognized(
  one: stt.STT,
  buffer: AudioBuffer,
  { signal, ms }: { signal: AbortSignal | undefined; ms: number | null },
): Promise<stt.SpeechEvent> {
  if (ms === null) return one.recognize(buffer, signal)
  const late = AbortSignal.timeout(ms)
  const given = signal ? AbortSignal.any([signal, late]) : late
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () =>
      reject(new APIConnectionError({ message: `No answer in ${ms} ms.` })),
    )
  })
  return Promise.race([one.recognize(buffer, given), tooLate])
}
