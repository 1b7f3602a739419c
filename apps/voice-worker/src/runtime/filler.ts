export interface FillerSettings {
  enabled: boolean
  afterMs: number
  phrases: readonly string[]
}

/** Says one phrase per turn when a tool runs and the agent was silent for a while. */
export class Filler implements Disposable {
  readonly #settings: FillerSettings
  readonly #say: (phrase: string) => void
  #timer: NodeJS.Timeout | null = null
  #running = 0
  #isUsed = false

  constructor(settings: FillerSettings, say: (phrase: string) => void) {
    this.#settings = settings
    this.#say = say
  }

  toolStarted(): void {
    this.#running += 1
    this.#arm()
  }

  toolFinished(): void {
    this.#running -= 1
    if (this.#running <= 0) this.#disarm()
  }

  /** The agent has spoken: the wait restarts. */
  heard(): void {
    this.#disarm()
    if (this.#running > 0) this.#arm()
  }

  #arm(): void {
    const { enabled, afterMs, phrases } = this.#settings
    if (!enabled || this.#isUsed || phrases.length === 0) return
    this.#timer ??= setTimeout(() => {
      this.#isUsed = true
      this.#timer = null
      const phrase = phrases[Math.floor(Math.random() * phrases.length)]
      if (phrase !== undefined) this.#say(phrase)
    }, afterMs)
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  [Symbol.dispose](): void {
    this.#disarm()
  }
}
