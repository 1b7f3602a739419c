/** Maximum values of one instance, and maximum total characters of its strings. */
const MAX_VALUES = 10_000
const MAX_CHARACTERS = 1_000_000

/** The smallest value of a schema exceeds the sandbox's limits. */
export class InstanceTooLarge extends Error {
  override readonly name = 'InstanceTooLarge'
}

/** Counts the contents of an instance, so that a small schema cannot demand a hundred million items. */
export class InstanceBudget {
  #values = MAX_VALUES
  #characters = MAX_CHARACTERS

  /** @throws {@link InstanceTooLarge} */
  value(count = 1): void {
    this.#values -= count
    if (this.#values < 0) {
      throw new InstanceTooLarge(`the smallest value of the schema has more than ${MAX_VALUES} parts`)
    }
  }

  /** Remaining characters. */
  get characters(): number {
    return this.#characters
  }

  /** @throws {@link InstanceTooLarge} */
  text(length: number): void {
    this.#characters -= length
    if (this.#characters < 0) {
      throw new InstanceTooLarge(
        `the strings of the smallest value of the schema have more than ${MAX_CHARACTERS} characters`,
      )
    }
  }
}
