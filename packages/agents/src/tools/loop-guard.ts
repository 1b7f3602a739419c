import { createHash } from 'node:crypto'
import { canonicalJson } from '@troupe/contract'

/** Equal for equal calls: the tool's name and its arguments, in any order of keys. */
export function callHash(name: string, input: unknown): string {
  return createHash('sha256')
    .update(`${name}\n${canonicalJson(input)}`)
    .digest('base64')
}

/** Counts equal calls of one run to stop a model that repeats itself. */
export class LoopGuard {
  readonly #limit: number
  readonly #counts = new Map<string, number>()

  /** `limit`: the 1-based number of the equal call that is refused. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts the call; true when it reaches the limit. */
  refuses(name: string, input: unknown): boolean {
    const hash = callHash(name, input)
    const count = (this.#counts.get(hash) ?? 0) + 1
    this.#counts.set(hash, count)
    return count >= this.#limit
  }
}
