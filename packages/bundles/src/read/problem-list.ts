import { MAX_FIELD_ERRORS } from '@troupe/contract'
import type { LineIndex } from './line-index.ts'
import { BundleError, type BundleProblem } from './problem.ts'

/** Collects problems with their lines, so that all of them are reported together. */
export class ProblemList {
  readonly #lines: LineIndex
  readonly #found: BundleProblem[]
  readonly #added = new Set<string>()

  constructor(lines: LineIndex, found: readonly BundleProblem[] = []) {
    this.#lines = lines
    this.#found = [...found]
  }

  /** The same problem is listed once, however often it occurs; one more than the limit of a response shows that there are more. */
  add(path: string, message: string, reason?: BundleProblem['reason']): void {
    const problem = `${path}\n${message}`
    if (this.#added.has(problem) || this.#found.length > MAX_FIELD_ERRORS) return
    this.#added.add(problem)
    this.#found.push({ path, message, line: this.#lines.at(path), ...(reason && { reason }) })
  }

  /** The line of a path, for messages that refer to a second location. */
  lineOf(path: string): number | null {
    return this.#lines.at(path)
  }

  get found(): readonly BundleProblem[] {
    return this.#found
  }

  /** @throws BundleError if any problem was added */
  raise(): void {
    if (this.#found.length > 0) throw new BundleError(this.#found)
  }
}
