import type { voice } from '@livekit/agents'

/**
 * Whether the caller's last words were withheld from the speech to text: the SDK withholds speech during uninterruptible words, and
 * possible echo at the start. It still reports them as not transcribed, which is not a failure.
 */
export class WithheldSpeech {
  readonly #warmUpMs: number
  #speeches: voice.SpeechHandle[] = []
  #isAgentAudible = false
  #warmUntil: number | null = null
  #isWithheld = false

  /** `warmUpMs`: how long the caller's echo cancellation adapts, from the agent's first sound. */
  constructor(warmUpMs: number) {
    this.#warmUpMs = warmUpMs
  }

  get isWithheld(): boolean {
    return this.#isWithheld
  }

  speechCreated(speech: voice.SpeechHandle): void {
    this.#speeches = [...this.#speeches.filter((one) => !one.done()), speech]
  }

  agentAudible(isAudible: boolean): void {
    this.#isAgentAudible = isAudible
    if (isAudible) this.#warmUntil ??= Date.now() + this.#warmUpMs
  }

  callerSpoke(): void {
    const current = this.#speeches.find((one) => !one.done())
    const mayInterrupt = current?.allowInterruptions ?? true
    const isEcho = this.#warmUntil !== null && Date.now() < this.#warmUntil
    this.#isWithheld = this.#isAgentAudible && (!mayInterrupt || isEcho)
  }
}
