/**
 * The answer of a run as it is being written: the texts of its messages in the order in which they began. A message
 * that is reset is void, so what remains always concatenates to the answer.
 */
export class StreamedAnswer {
  readonly #messages = new Map<string, string>()

  append(messageId: string, delta: string): void {
    this.#messages.set(messageId, (this.#messages.get(messageId) ?? '') + delta)
  }

  reset(messageId: string): void {
    this.#messages.delete(messageId)
  }

  get text(): string {
    return [...this.#messages.values()].join('')
  }
}

/**
 * Numbers the messages of a run. Each turn of a job takes other names than the log shows already: `lastSeq` is where the
 * log ended when the turn began. The slice would not do, because a lease that has expired is taken again in its slice.
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
