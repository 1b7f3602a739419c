import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '@troupe/database'
import type { QuietClock } from './quiet-clock.ts'

/** How long one vacuum may hold up a request that arrives, in milliseconds, by the time without any. Longest first. */
const LIMITS = [
  { quietMs: 60 * 60_000, limitMs: 10_000 },
  { quietMs: 5 * 60_000, limitMs: 1_000 },
  { quietMs: 5_000, limitMs: 250 },
] as const
/** A process that is never quiet vacuums small tables nevertheless, one at a time. */
const BUSY_LIMIT_MS = 50

/** Vacuums tables of the embedded database, one after the other, while nobody waits for the process. */
export async function vacuumWhileQuiet(
  upkeep: NonNullable<Database['upkeep']>,
  quiet: Pick<QuietClock, 'quietMs'>,
): Promise<void> {
  for (;;) {
    const quietMs = quiet.quietMs()
    const allowed = LIMITS.find((limit) => quietMs >= limit.quietMs)
    const vacuumed = await upkeep.vacuum(allowed?.limitMs ?? BUSY_LIMIT_MS)
    if (vacuumed === null || !allowed) return
    // Requests that arrived meanwhile come first.
    await nextTurn()
  }
}
