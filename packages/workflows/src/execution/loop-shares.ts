import type { OrganizationId } from '@troupe/contract'

/**
 * A pure node that takes more CPU time, in milliseconds, counts as heavy: a pattern with counted repetitions takes up
 * to 45 ms, and most nodes much less than one.
 */
const HEAVY_MS = 5
/** The rest of an organization after a heavy node, in which its runs leave the event loop to others, as a multiple of the node's duration. */
const REST_FACTOR = 5

/** The duration of a pure node, in milliseconds. */
export interface PureTime {
  /** CPU time of the thread. */
  cpuMs: number
  /** Wall-clock time: more than `cpuMs` if the thread had no processor in between. */
  wallMs: number
}

/** Whether a pure node was heavy. */
export function isHeavy({ cpuMs }: PureTime): boolean {
  return cpuMs >= HEAVY_MS
}

/**
 * Shares the event loop of this process among organizations: the heavy pure nodes of one organization together use at
 * most a sixth of it, in however many runs they are. Other organizations never wait.
 */
export class LoopShares {
  readonly #freeAt = new Map<OrganizationId, number>()
  readonly #clock: () => number
  /** CPU time of the heavy pure nodes of one turn of a run, in milliseconds; beyond it the next pure node fails. */
  readonly mostComputingMs: number

  /** @param clock milliseconds, monotonic */
  constructor(clock: () => number = () => performance.now(), mostComputingMs = 30_000) {
    this.#clock = clock
    this.mostComputingMs = mostComputingMs
  }

  /** Records the duration of a pure node. The rest is measured by the clock: a busy machine has less to share. */
  spent(organizationId: OrganizationId, took: PureTime): void {
    if (!isHeavy(took)) return
    const now = this.#clock()
    for (const [id, freeAt] of this.#freeAt) if (freeAt <= now) this.#freeAt.delete(id)
    const from = this.#freeAt.get(organizationId) ?? now
    this.#freeAt.set(organizationId, from + took.wallMs * REST_FACTOR)
  }

  /** Milliseconds for which the organization's next pure node has to wait; 0 if none. */
  restMs(organizationId: OrganizationId): number {
    return Math.max(0, (this.#freeAt.get(organizationId) ?? 0) - this.#clock())
  }
}
