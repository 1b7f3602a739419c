/** Prompts a silent caller, and gives up after some prompts. */
export class SilencePrompts implements Disposable {
  readonly #options: { afterS: number; endAfterPrompts: number; prompt(): void; giveUp(): void }
  #timer: NodeJS.Timeout | null = null
  #prompts = 0

  constructor(options: { afterS: number; endAfterPrompts: number; prompt(): void; giveUp(): void }) {
    this.#options = options
  }

  /** Neither side speaks: the silence starts. */
  quiet(): void {
    const { afterS, endAfterPrompts, prompt, giveUp } = this.#options
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#prompts += 1
      if (this.#prompts > endAfterPrompts) giveUp()
      else prompt()
    }, afterS * 1_000)
  }

  /** The agent thinks or speaks. */
  agentActive(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  callerSpoke(): void {
    this.agentActive()
    this.#prompts = 0
  }

  [Symbol.dispose](): void {
    this.agentActive()
  }
}
