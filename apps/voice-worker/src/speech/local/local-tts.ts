import { type APIConnectOptions, tts } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'
import { type Pcm, withoutLeadingSilence } from '@troupe/speech'

/** Synthesizes a complete text. */
type Speak = (text: string, signal: AbortSignal) => Promise<Pcm>

interface LocalVoice {
  provider: string
  voice: string
  rate: number
  speak: Speak
}

/** Frames of 20 ms. */
const FRAMES_PER_SECOND = 50

/** Text to speech by a local program. It synthesizes whole texts: a session gives it one sentence at a time. */
export class LocalTts extends tts.TTS {
  override label: string
  readonly #speak: Speak
  readonly #provider: string
  readonly #voice: string

  /** `rate`: samples per second. */
  constructor({ provider, voice, rate, speak }: LocalVoice) {
    super(rate, 1, { streaming: false })
    this.label = `troupe.${provider}`
    this.#provider = provider
    this.#voice = voice
    this.#speak = speak
  }

  /** A local engine has a model for each voice. */
  override get model(): string {
    return this.#voice
  }

  override get provider(): string {
    return this.#provider
  }

  override synthesize(text: string, options?: APIConnectOptions, signal?: AbortSignal): tts.ChunkedStream {
    return new LocalSpeech(this, text, this.#speak, options, signal)
  }

  override stream(): tts.SynthesizeStream {
    throw new Error('local text to speech does not stream')
  }
}

class LocalSpeech extends tts.ChunkedStream {
  override label: string
  readonly #speak: Speak

  constructor(
    owner: LocalTts,
    text: string,
    speak: Speak,
    options?: APIConnectOptions,
    signal?: AbortSignal,
  ) {
    super(text, owner, options, signal)
    this.label = owner.label
    this.#speak = speak
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController
    const { samples, rate } = withoutLeadingSilence(await this.#speak(this.inputText, signal))
    const step = rate / FRAMES_PER_SECOND
    const id = crypto.randomUUID()
    for (let at = 0; at < samples.length && !signal.aborted; at += step) {
      const part = Int16Array.from(samples.subarray(at, at + step))
      const frame = new AudioFrame(part, rate, 1, part.length)
      this.queue.put({ requestId: id, segmentId: id, final: at + step >= samples.length, frame })
    }
    this.queue.close()
  }
}
