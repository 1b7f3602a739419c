/**
 * The answer as it is being written. A reset voids the text so far and starts a new message, so that the deltas of the
 * last message always concatenate to the answer.
 */
export class Answer {
  text = ''
  #message = 0

  /** Names the message that deltas belong to; changes with every reset. */
  get messageId(): string {
    return `msg_${this.#message}`
  }

  append(delta: string): void {
    this.text += delta
  }

  /** Returns the id of the voided message. */
  reset(): string {
    const voided = this.messageId
    this.text = ''
    this.#message += 1
    return voided
  }
}
