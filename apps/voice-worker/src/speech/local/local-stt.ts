import { type AudioBuffer, mergeFrames, normalizeLanguage, stt } from '@livekit/agents'
import { AudioResampler } from '@livekit/rtc-node'
import { hearWithPocketsphinx, POCKETSPHINX_RATE } from './pocketsphinx.ts'
import { openVocabulary, type Vocabulary } from './vocabulary.ts'

/** Speech to text by a local program. It recognises whole utterances: a session wraps it with the local VAD. */
export class LocalStt extends stt.STT {
  override label = 'troupe.pocketsphinx'
  readonly #vocabulary: Promise<Vocabulary>

  /** `grammar` lists the possible whole utterances; null: any words. */
  constructor(grammar: readonly string[] | null) {
    super({ streaming: false, interimResults: false })
    this.#vocabulary = openVocabulary(grammar)
    // The error is reported by each recognition.
    this.#vocabulary.catch(() => {})
  }

  override get model(): string {
    return 'en-us'
  }

  override get provider(): string {
    return 'local-pocketsphinx'
  }

  protected override async _recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    const samples = samplesAt(POCKETSPHINX_RATE, buffer)
    const clip = { samples, rate: POCKETSPHINX_RATE }
    const text = await hearWithPocketsphinx(clip, await this.#vocabulary, signal)
    const language = normalizeLanguage('en')
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [{ text, language, startTime: 0, endTime: 0, confidence: 1 }],
    }
  }

  override stream(): stt.SpeechStream {
    throw new Error('local speech to text does not stream')
  }

  override async close(): Promise<void> {
    const vocabulary = await this.#vocabulary.catch(() => null)
    await vocabulary?.[Symbol.asyncDispose]()
  }
}

function samplesAt(rate: number, buffer: AudioBuffer): Int16Array {
  const frame = mergeFrames(buffer)
  if (frame.sampleRate === rate) return frame.data
  const resampler = new AudioResampler(frame.sampleRate, rate, 1)
  return mergeFrames([...resampler.push(frame), ...resampler.flush()]).data
}
