/** The configuration cannot work. `problems` has one sentence for each thing to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Collects sentences, so that every problem is told at once. */
export class Problems {
  readonly #found: string[] = []

  add(problem: string): void {
    this.#found.push(problem)
  }

  /** @throws ConfigError when anything was added. */
  raise(): void {
    if (this.#found.length > 0) throw new ConfigError(this.#found)
  }
}
