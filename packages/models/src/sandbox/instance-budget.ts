/** Most values of one instance, and most characters of its strings together. */
const MAX_VALUES = 10_000
const MAX_CHARACTERS = 1_000_000

/** The smallest value of a schema is larger than the sandbox answers. */
export class InstanceTooLarge extends Error {
  override readonly name = 'InstanceTooLarge'
}

/** Counts what an instance holds, so that a small schema cannot ask for a hundred million items. */
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

  /** Characters that are left. */
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
