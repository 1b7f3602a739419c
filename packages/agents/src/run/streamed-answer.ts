/**
 * The answer of a run while it is written: the texts of its messages in the order in which they started. A
 * reset removes a message, so the remaining texts always concatenate to the answer.
 */
export class StreamedAnswer {
  readonly #messages = new Map<string, string>()

  append(messageId: string, delta: string): void {
    this.#messages.set(messageId, (this.#messages.get(messageId) ?? '') + delta)
  }

  reset(messageId: string): void {
    this.#messages.delete(messageId)
  }

  /** The messages that were not reset. */
  get messageIds(): string[] {
    return [...this.#messages.keys()]
  }

  get text(): string {
    return [...this.#messages.values()].join('')
  }
}

/**
 * Numbers the messages of a run. Each turn of a job uses ids that are not in the log yet: `lastSeq` is the
 * end of the log when the turn started. The slice number would not be unique, because an expired lease may be
 * claimed again within its slice.
 */
export class MessageIds {
  readonly #prefix: string
  #next = 0

  constructor(lastSeq: number) {
    this.#prefix = lastSeq === 0 ? 'msg_' : `msg_${lastSeq}_`
  }

  next(): string {
    return `${this.#prefix}${this.#next++}`
  }
}
