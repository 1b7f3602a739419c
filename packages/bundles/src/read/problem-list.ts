import type { LineIndex } from './line-index.ts'
import { BundleError, type BundleProblem } from './problem.ts'

/** Collects problems with the lines of their places, so that all of them are told at once. */
export class ProblemList {
  readonly #lines: LineIndex
  readonly #found: BundleProblem[]

  constructor(lines: LineIndex, found: readonly BundleProblem[] = []) {
    this.#lines = lines
    this.#found = [...found]
  }

  add(path: string, message: string): void {
    this.#found.push({ path, message, line: this.#lines.at(path) })
  }

  /** The line of a place, for messages that point to a second one. */
  lineOf(path: string): number | null {
    return this.#lines.at(path)
  }

  get found(): readonly BundleProblem[] {
    return this.#found
  }

  /** @throws BundleError when anything was added */
  raise(): void {
    if (this.#found.length > 0) throw new BundleError(this.#found)
  }
}
