/** The configuration is invalid. `problems` has one sentence for each setting to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Collects sentences, so that all problems are reported together. */
export class Problems {
  readonly #found: string[] = []

  add(problem: string): void {
    this.#found.push(problem)
  }

  /** @throws ConfigError if any problem was added. */
  raise(): void {
    if (this.#found.length > 0) throw new ConfigError(this.#found)
  }
}
