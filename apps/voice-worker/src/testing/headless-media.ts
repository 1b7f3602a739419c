import type { voice } from '@livekit/agents'
import type { AudioFrame } from '@livekit/rtc-node'
import { Ear } from '@troupe/media-servers/testing/ear'
import type { SessionMedia } from '../session/session-media.ts'
import { HeadlessInput } from './headless-input.ts'
import { HeadlessOutput } from './headless-output.ts'

const STEP_MS = 10
/** The rate of flite; the SDK converts other voices to it. */
const RATE = 16_000
const STEP = (RATE * STEP_MS) / 1_000

/** A caller without a room: sends its speech and plays the agent's, by the clock of this machine. */
export class HeadlessMedia implements SessionMedia, AsyncDisposable {
  readonly ear = new Ear(RATE)
  /** Keys pressed by the agent. */
  readonly keys: string[] = []
  /** Clips played beside the session, in samples. */
  readonly clips: number[] = []
  readonly #input = new HeadlessInput(RATE)
  readonly #output = new HeadlessOutput(RATE, (samples) => this.ear.hear(samples))
  readonly #timer: NodeJS.Timeout
  readonly #speed: number
  #sentAt = performance.now()
  #session: voice.AgentSession | null = null

  /** `speed`: factor by which audio is faster than real time; computations take their own time. */
  constructor(speed = 1) {
    this.#speed = speed
    this.#timer = setInterval(() => this.#advance(), STEP_MS)
  }

  async start(session: voice.AgentSession, agent: voice.Agent): Promise<void> {
    session.input.audio = this.#input
    session.output.audio = this.#output
    this.#session = session
    await session.start({ agent, record: false })
  }

  /** Closes the session as LiveKit's SDK does when it shuts the job down. */
  async shutDown(): Promise<void> {
    await this.#session?.close()
  }

  async pressKey(_code: number, key: string): Promise<void> {
    this.keys.push(key)
  }

  async play(clip: AudioFrame): Promise<void> {
    this.clips.push(clip.data.length)
  }

  /** Speaks, and returns the end time, in milliseconds since the epoch. */
  async say(samples: Int16Array): Promise<number> {
    await this.#input.say(samples)
    return Date.now()
  }

  /** A late timer catches up: the duration of audio is its number of samples. */
  #advance(): void {
    const stepMs = STEP_MS / this.#speed
    while (performance.now() - this.#sentAt >= stepMs) {
      this.#sentAt += stepMs
      this.#input.record(STEP)
      this.#output.play(STEP)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#input.close()
  }
}
