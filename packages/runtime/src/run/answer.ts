/**
 * The answer of a run as it is being written: the texts of its messages in the order in which they began. A message
 * that is reset is void, so what remains always concatenates to the answer.
 */
export class Answer {
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

/** Numbers the messages of a run. A job that is continued takes other names in each of its slices. */
export class MessageIds {
  readonly #prefix: string
  #next = 0

  constructor(slice: number) {
    this.#prefix = slice === 0 ? 'msg_' : `msg_${slice}_`
  }

  next(): string {
    return `${this.#prefix}${this.#next++}`
  }
}
