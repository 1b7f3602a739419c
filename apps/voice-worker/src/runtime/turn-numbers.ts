/** Numbers the messages of a caller. A message that is answered again keeps its number, so its run is not repeated. */
export class TurnNumbers {
  readonly #numbers = new Map<string, number>()
  #next: number

  constructor(next: number) {
    this.#next = next
  }

  numberOf(messageId: string): number {
    const known = this.#numbers.get(messageId)
    if (known !== undefined) return known
    const number = this.#next
    this.#next += 1
    this.#numbers.set(messageId, number)
    return number
  }
}
