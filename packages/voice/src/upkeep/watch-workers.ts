import { redispatchSession } from '../sessions/redispatch-session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { WORKER_SILENCE_MS } from '../workers/worker-store.ts'
import { inGroups } from './in-groups.ts'

/** The media server saw the agent leave, and its worker has not named the session since. */
const AFTER_LEAVING_MS = 4_000
/** How long a dispatched agent may take to be ready. */
const READY_MS = 10_000
/** Heartbeats could not be received while this process was down. */
const AFTER_BOOT_MS = 15_000

/** Hands the sessions of lost workers, and those whose agent never came, to other workers. */
export async function watchWorkers(parts: VoiceParts, bootedAt: number): Promise<void> {
  const { stores, media, now } = parts
  const at = now()
  if (at - bootedAt < AFTER_BOOT_MS || !media.health().rooms) return
  const sessions = await stores.upkeep.withoutWorker({
    seenBefore: new Date(at - WORKER_SILENCE_MS),
    leftBefore: new Date(at - AFTER_LEAVING_MS),
    dispatchedBefore: new Date(at - READY_MS),
  })
  await inGroups(sessions, (session) =>
    redispatchSession(parts, session, session.agentReadyAt === null ? 'unready' : 'loss'),
  )
}
