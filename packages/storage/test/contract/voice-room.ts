import type { Database } from '../../src/database.ts'

/** A worker with room for everything, last seen so long ago that only queries for every worker include it. */
export async function everyWorker(db: Database): Promise<{ workersSeenAfter: Date }> {
  const worker = { workerId: 'ample', capacity: 100_000, draining: false, version: '1' }
  await db.voice.workers.beat({ ...worker, sessionIds: [], callersPresent: [] }, new Date(1))
  return { workersSeenAfter: new Date(0) }
}
