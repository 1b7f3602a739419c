import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '@troupe/storage'
import type { StorageWatch } from '@troupe/telemetry/storage-watch'
import type { QuietClock } from './quiet-clock.ts'

const MB = 1024 * 1024

/**
 * Max bytes per vacuum by idle time, longest first. A vacuum delays arriving requests: 2 to 15 ms per megabyte were measured on a
 * busy machine, so at most 0.25 s, 1 s and 10 s.
 */
const LIMITS = [
  { quietMs: 60 * 60_000, bytes: 640 * MB },
  { quietMs: 5 * 60_000, bytes: 64 * MB },
  { quietMs: 5_000, bytes: 16 * MB },
] as const
/** A process that is never idle still vacuums small tables, one at a time, in at most 50 ms. */
const BUSY_BYTES = 3 * MB
/** Remains free beside the log of a vacuum: more than the limit below which the disk counts as full. */
const RESERVE_BYTES = 64 * MB

/** The dependencies of the vacuum. */
export interface VacuumParts {
  upkeep: NonNullable<Database['upkeep']>
  quiet: Pick<QuietClock, 'quietMs'>
  storage: Pick<StorageWatch, 'freeBytes'>
}

/** Vacuums tables of the embedded database, one after the other, while the process is idle. */
export async function vacuumWhileQuiet({ upkeep, quiet, storage }: VacuumParts): Promise<void> {
  for (;;) {
    const quietMs = quiet.quietMs()
    const allowed = LIMITS.find((limit) => quietMs >= limit.quietMs)
    const room = storage.freeBytes - RESERVE_BYTES
    const vacuumed = await upkeep.vacuum(Math.min(allowed?.bytes ?? BUSY_BYTES, room))
    if (vacuumed === null || !allowed) return
    // Yields to requests that have arrived.
    await nextTurn()
  }
}
