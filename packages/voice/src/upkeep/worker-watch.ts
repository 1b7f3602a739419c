import { redispatchSession } from '../sessions/redispatch-session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { WORKER_SILENCE_MS } from '../workers/worker-store.ts'
import { inGroups } from './in-groups.ts'

/** The time within which a worker must name the session again after the media server saw the agent leave. */
const AFTER_LEAVING_MS = 4_000
/** The time limit for a dispatched agent to be ready. */
const READY_MS = 10_000
/**
 * Grace time after a boot or a gap: heartbeats were not stored while this process was down or could not reach
 * the database.
 */
const AFTER_GAP_MS = 15_000
/** Rounds come every two seconds. A shorter gap between two rounds does not make workers look dead. */
const GAP_MS = 6_000

/**
 * Hands the sessions of lost workers, and those whose agent never arrived, to other workers.
 *
 * After a database outage or a suspension of the machine, every worker looks silent: the first round races the first
 * heartbeats. So no session is handed over until heartbeats have had time to arrive.
 */
export class WorkerWatch {
  readonly #parts: VoiceParts
  #lastRoundAt: number
  #blindUntil: number

  /** `bootedAt`: milliseconds since the epoch. */
  constructor(parts: VoiceParts, bootedAt: number) {
    this.#parts = parts
    this.#lastRoundAt = bootedAt
    this.#blindUntil = bootedAt + AFTER_GAP_MS
  }

  async round(): Promise<void> {
    const { stores, media, now } = this.#parts
    const at = now()
    // Read in every round: a failed read belongs to the gap.
    const sessions = await stores.upkeep.withoutWorker({
      seenBefore: new Date(at - WORKER_SILENCE_MS),
      leftBefore: new Date(at - AFTER_LEAVING_MS),
      dispatchedBefore: new Date(at - READY_MS),
    })
    if (at - this.#lastRoundAt > GAP_MS) this.#blindUntil = Math.max(this.#blindUntil, at + AFTER_GAP_MS)
    this.#lastRoundAt = at
    if (at < this.#blindUntil || !media.health().rooms) return
    await inGroups(sessions, (session) =>
      redispatchSession(this.#parts, session, session.agentReadyAt === null ? 'unready' : 'loss'),
    )
  }
}
