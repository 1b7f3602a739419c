import { APIConnectionError, type APIConnectOptions, log, tts } from '@livekit/agents'
import { type AudioFrame, AudioResampler } from '@livekit/rtc-node'
import { mostSeconds } from './limit-length.ts'
import { LAST_FRAME_MS } from './limit-silence.ts'
import { SentenceTurn } from './sentence-turn.ts'
import { cutSockets } from './voice-sockets.ts'

/** How long a failed voice has the lowest priority. */
const REST_MS = 30_000
/** Time limit for the next frame before another voice takes over; callers take a longer silence for the end. */
const FRAME_MS = 5_000

interface Voice {
  tts: tts.TTS
  /** The end of its lowest priority, in milliseconds since the epoch. */
  restsUntil: number
  /** Aborted at its next failure, because its concurrent sentences will fail too. */
  failure: AbortController
  /** Its sentences that have not ended. */
  speaking: number
  /** Whether it has failed, and its connections stay open until a sentence in progress ends. */
  isGivenUp: boolean
}

/**
 * One or several texts to speech, given one sentence at a time: if one fails, or is silent for seconds, the next one speaks the
 * same sentence. The SDK's own fallback switches between answers only, and waits forever.
 */
export class FailoverTts extends tts.TTS {
  override label = 'troupe.failover'
  readonly #voices: readonly Voice[]
  readonly #onFailover: () => void
  /** Resolves when the most recent sentence has ended. */
  #spoken: Promise<void> = Promise.resolve()

  /** `onFailover` is called when another voice than the first one begins to speak. */
  constructor([first, ...others]: readonly [tts.TTS, ...tts.TTS[]], onFailover: () => void) {
    const all = [first, ...others]
    super(Math.max(...all.map(({ sampleRate }) => sampleRate)), 1, { streaming: false })
    this.#onFailover = onFailover
    this.#voices = all.map((one) => ({
      ...{ tts: one, restsUntil: 0, failure: new AbortController() },
      ...{ speaking: 0, isGivenUp: false },
    }))
    for (const voice of this.#voices) {
      voice.tts.on('metrics_collected', (metrics) => super.emit('metrics_collected', metrics))
    }
  }

  /** Adds no metrics of its own: those of the voice that spoke are passed on. */
  override emit: tts.TTS['emit'] = (event, ...heard) =>
    event === 'metrics_collected' ? false : super.emit(event, ...heard)

  override synthesize(text: string, _options?: APIConnectOptions, signal?: AbortSignal): tts.ChunkedStream {
    return new FailoverSentence(this, text, signal)
  }

  override stream(): tts.SynthesizeStream {
    throw new Error('a text to speech of whole sentences does not stream')
  }

  /**
   * Speaks with the first working voice. The sentences of an answer are synthesized concurrently; no audio of a sentence is passed
   * on before the previous one has ended, so a voice that stalls by then is replaced for the whole sentence.
   *
   * @throws APIConnectionError if all of them fail
   */
  async speak(text: string, signal: AbortSignal, hear: (frame: AudioFrame) => void): Promise<void> {
    // The space at the end of an answer is a separate sentence, for which no voice returns audio.
    if (text.trim() === '') return
    const turn = new SentenceTurn(this.#spoken, signal, hear)
    this.#spoken = turn.over
    try {
      await this.#speakInTurn(text, signal, turn)
    } finally {
      turn.end()
    }
  }

  async #speakInTurn(text: string, signal: AbortSignal, turn: SentenceTurn): Promise<void> {
    const voices = this.#inOrder()
    for (const voice of voices) {
      const isLast = voice === voices.at(-1)
      const { isHeard, isCut, isTakenBack } = await this.#attempt(voice, { text, signal, turn, isLast })
      // An interruption by the caller also makes providers fail, which is not a fault of the voice.
      if (signal.aborted) return
      if (isTakenBack) continue
      if (isCut || !isHeard) {
        log().warn({ tts: voice.tts.label }, 'a text-to-speech provider failed')
        voice.restsUntil = Date.now() + REST_MS
        voice.failure.abort()
        voice.isGivenUp = true
        cutWhenSilent(voice)
        voice.failure = new AbortController()
      }
      if (isCut && !isLast && turn.takeBack()) continue
      if (isHeard) return await turn.come
    }
    throw new APIConnectionError({ message: 'All text-to-speech providers failed.' })
  }

  async #attempt(
    voice: Voice,
    { text, signal, turn, isLast }: Attempt,
  ): Promise<Outcome & { isTakenBack: boolean }> {
    const { tts: one, failure } = voice
    const left = new AbortController()
    // A sentence that starts while the previous one stalls has the same voice, which will not continue it either.
    const leave = () => {
      if (!isLast && turn.takeBack()) left.abort()
    }
    failure.signal.addEventListener('abort', leave)
    const frameMs = isLast ? LAST_FRAME_MS : FRAME_MS
    const sentence = { voice: one, text, frameMs, signal: AbortSignal.any([signal, left.signal]) }
    let isNoted = voice === this.#voices[0]
    voice.speaking += 1
    const outcome = await spoken(sentence, this.sampleRate, (frame) => {
      if (left.signal.aborted) return
      // Not at the end of the sentence: the caller may leave, or speak, as soon as it is audible.
      if (!isNoted) this.#onFailover()
      isNoted = true
      turn.hear(frame)
    })
    failure.signal.removeEventListener('abort', leave)
    voice.speaking -= 1
    cutWhenSilent(voice)
    return { ...outcome, isTakenBack: left.signal.aborted }
  }

  #inOrder(): Voice[] {
    const now = Date.now()
    const isResting = ({ restsUntil }: Voice) => restsUntil > now
    return [...this.#voices.filter((one) => !isResting(one)), ...this.#voices.filter((one) => isResting(one))]
  }

  override async close(): Promise<void> {
    await Promise.all(this.#voices.map(({ tts: one }) => one.close()))
  }
}

/**
 * Not earlier: no other voice continues a sentence in progress, and this one may be the only one that works.
 */
function cutWhenSilent(voice: Voice): void {
  if (!voice.isGivenUp || voice.speaking > 0) return
  voice.isGivenUp = false
  cutSockets(voice.tts)
}

class FailoverSentence extends tts.ChunkedStream {
  override label = 'troupe.failover'
  readonly #owner: FailoverTts

  constructor(owner: FailoverTts, text: string, signal?: AbortSignal) {
    // Each voice has its own attempts.
    super(text, owner, { maxRetry: 0, timeoutMs: LAST_FRAME_MS, retryIntervalMs: 0 }, signal)
    this.#owner = owner
  }

  protected override async run(): Promise<void> {
    const id = crypto.randomUUID()
    await this.#owner.speak(this.inputText, this.abortSignal, (frame) =>
      this.queue.put({ requestId: id, segmentId: id, final: false, frame }),
    )
    this.queue.close()
  }
}

interface Attempt {
  text: string
  signal: AbortSignal
  turn: SentenceTurn
  /** Whether there is no other voice left. */
  isLast: boolean
}

interface Sentence {
  voice: tts.TTS
  text: string
  signal: AbortSignal
  frameMs: number
}

interface Outcome {
  /** Whether the voice was audible. Another voice does not repeat a sentence after the first audible frame. */
  isHeard: boolean
  /** Whether the voice failed or fell silent before the end of the sentence. */
  isCut: boolean
}

async function spoken(sentence: Sentence, rate: number, hear: (frame: AudioFrame) => void): Promise<Outcome> {
  const { voice, frameMs } = sentence
  const resampler = voice.sampleRate === rate ? null : new AudioResampler(voice.sampleRate, rate, 1)
  const late = Promise.withResolvers<null>()
  const given = new AbortController()
  const timer = setTimeout(() => late.resolve(null), frameMs)
  const frames = framesOf({ ...sentence, signal: AbortSignal.any([sentence.signal, given.signal]) })
  let isHeard = false
  let isCut = false
  let seconds = 0
  // Streams of the SDK end without an error; only the provider's event reports a truncated sentence.
  const fail = ({ recoverable }: { recoverable: boolean }) => {
    isCut ||= !recoverable
  }
  voice.on('error', fail)
  try {
    for (;;) {
      const next = await Promise.race([frames.next(), late.promise])
      isCut ||= next === null
      if (next === null || next.done) break
      isHeard = true
      seconds += next.value.samplesPerChannel / next.value.sampleRate
      if (seconds > mostSeconds(sentence.text.length)) {
        log().warn({ tts: voice.label }, 'a text-to-speech provider spoke longer than its text')
        isCut = true
        break
      }
      timer.refresh()
      for (const frame of resampler ? resampler.push(next.value) : [next.value]) hear(frame)
    }
    // A resampler without input may return frames.
    if (isHeard) for (const frame of resampler?.flush() ?? []) hear(frame)
    return { isHeard, isCut }
  } catch (error) {
    log().warn({ error, tts: voice.label }, 'a text-to-speech provider stopped in the middle of a sentence')
    return { isHeard, isCut: true }
  } finally {
    voice.off('error', fail)
    clearTimeout(timer)
    given.abort()
    resampler?.close()
  }
}

async function* framesOf({ voice, text, signal, frameMs }: Sentence): AsyncGenerator<AudioFrame> {
  const connOptions = { maxRetry: 0, timeoutMs: frameMs, retryIntervalMs: 0 }
  if (!voice.capabilities.streaming) {
    for await (const { frame } of voice.synthesize(text, connOptions, signal)) yield frame
    return
  }
  const stream = voice.stream({ connOptions })
  signal.addEventListener('abort', () => stream.close(), { once: true })
  stream.pushText(text)
  stream.endInput()
  for await (const one of stream) if (typeof one !== 'symbol') yield one.frame
}
