import { voice } from '@livekit/agents'
import type { AudioFrame } from '@livekit/rtc-node'

/** Samples of one played step, at {@link HeadlessOutput.rate}. */
type Hear = (samples: Int16Array) => void

/** Plays an agent's speech in real time, into a listener instead of a loudspeaker. */
export class HeadlessOutput extends voice.AudioOutput {
  readonly rate: number
  readonly #hear: Hear
  #queue: Int16Array[] = []
  #playedSamples = 0
  #isSegmentOpen = false
  #isFlushed = false
  #isPaused = false

  constructor(rate: number, hear: Hear) {
    super(rate, undefined, { pause: true })
    this.rate = rate
    this.#hear = hear
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame)
    if (!this.#isSegmentOpen) {
      this.#isSegmentOpen = true
      this.#isFlushed = false
      this.#playedSamples = 0
    }
    this.#queue.push(Int16Array.from(frame.data))
  }

  override flush(): void {
    super.flush()
    this.#isFlushed = true
    this.#finishIfPlayed()
  }

  override clearBuffer(): void {
    if (!this.#isSegmentOpen) return
    super.flush()
    this.#finish(true)
  }

  override pause(): void {
    this.#isPaused = true
  }

  override resume(): void {
    this.#isPaused = false
  }

  /** Plays the next samples, or silence. */
  play(samples: number): void {
    const step = new Int16Array(samples)
    let at = 0
    while (!this.#isPaused && at < samples) {
      const next = this.#queue.shift()
      if (!next) break
      if (this.#playedSamples === 0 && at === 0) this.onPlaybackStarted(Date.now())
      const part = next.subarray(0, samples - at)
      step.set(part, at)
      at += part.length
      if (part.length < next.length) this.#queue.unshift(next.subarray(part.length))
    }
    this.#playedSamples += at
    this.#hear(step)
    this.#finishIfPlayed()
  }

  #finishIfPlayed(): void {
    if (this.#isSegmentOpen && this.#isFlushed && this.#queue.length === 0) this.#finish(false)
  }

  #finish(interrupted: boolean): void {
    this.#isSegmentOpen = false
    this.#queue = []
    this.onPlaybackFinished({ playbackPosition: this.#playedSamples / this.rate, interrupted })
  }
}
