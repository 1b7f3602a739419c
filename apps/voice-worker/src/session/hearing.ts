import type { stt } from '@livekit/agents'
import type { SttChoice } from '@troupe/contract/voice-worker'

/** Creates the speech to text of the choices, in order of priority. */
type MakeHearing = (choices: readonly SttChoice[]) => Promise<stt.STT>

/**
 * The speech to text of a session. A provider's socket may close normally and leave the session without transcripts: then the same
 * provider is recreated, and after that the next one gets priority.
 */
export class Hearing {
  readonly #make: MakeHearing
  readonly #onFailover: () => void
  #choices: readonly SttChoice[]
  #failures = 0
  #stt: stt.STT

  static async begin(
    choices: readonly SttChoice[],
    make: MakeHearing,
    onFailover: () => void,
  ): Promise<Hearing> {
    return new Hearing(choices, make, onFailover, await make(choices))
  }

  private constructor(
    choices: readonly SttChoice[],
    make: MakeHearing,
    onFailover: () => void,
    made: stt.STT,
  ) {
    this.#choices = choices
    this.#make = make
    this.#onFailover = onFailover
    this.#stt = made
  }

  get stt(): stt.STT {
    return this.#stt
  }

  close(): Promise<void> {
    return this.#stt.close()
  }

  /** Words were transcribed: a failure before them, such as a cough, was not a fault of the provider. */
  understood(): void {
    this.#failures = 0
  }

  /** Speech was detected but not transcribed: creates a new one. */
  async again(): Promise<stt.STT> {
    this.#failures += 1
    const [first, ...others] = this.#choices
    if (this.#failures > 1 && first && others.length > 0) {
      this.#choices = [...others, first]
      this.#failures = 0
      this.#onFailover()
    }
    const former = this.#stt
    this.#stt = await this.#make(this.#choices)
    void former.close().catch(() => {})
    return this.#stt
  }
}
