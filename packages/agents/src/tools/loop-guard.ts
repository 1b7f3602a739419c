import { createHash } from 'node:crypto'
import { canonicalJson } from '../run/canonical-json.ts'

/** Counts equal calls of one run, so that a model that repeats itself is stopped. */
export class LoopGuard {
  readonly #limit: number
  readonly #counts = new Map<string, number>()

  /** `limit`: the call of this number, counted from 1, is refused. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts the call; true when it is one too many. */
  refuses(name: string, input: unknown): boolean {
    const hash = createHash('sha256')
      .update(`${name}\n${canonicalJson(input)}`)
      .digest('base64')
    const count = (this.#counts.get(hash) ?? 0) + 1
    this.#counts.set(hash, count)
    return count >= this.#limit
  }
}
