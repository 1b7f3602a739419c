/** Finds the end of a JSON object in a streamed text. Each character is examined once. */
export class JsonObjectEnd {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Whether the text so far is one whole object, perhaps with space around it. */
  isComplete = false

  add(text: string): void {
    for (const character of text) this.#character(character)
  }

  #character(character: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#isInString = false
    } else if (character === '"') this.#isInString = true
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') {
      this.#depth -= 1
      if (this.#depth === 0) this.isComplete = true
    }
  }
}
