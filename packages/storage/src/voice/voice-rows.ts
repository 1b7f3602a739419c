import type { VoiceStores } from '@troupe/voice'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { callRows } from './calls/calls.ts'
import { callLeases } from './calls/leases.ts'
import { mediaEventRows } from './events/event-rows.ts'
import { sessionEnds } from './sessions/end.ts'
import { sessionReads } from './sessions/find.ts'
import { sessionJobs } from './sessions/jobs.ts'
import { openWeb } from './sessions/open-web.ts'
import { sessionPresence } from './sessions/presence.ts'
import { voiceUpkeepRows } from './sessions/upkeep.ts'
import { trunkProvisioning } from './trunks/provisioning.ts'
import { voiceTurnRows } from './turns/turn-rows.ts'
import { voiceWorkerRows } from './workers/worker-rows.ts'

/** The SQL of voice: sessions and their workers, transcripts, webhooks. */
export function voiceRows(driver: SqlDriver): VoiceStores {
  return {
    sessions: {
      openWeb: openWeb(driver),
      ...sessionReads(driver),
      ...sessionPresence(driver),
      ...sessionEnds(driver),
      ...sessionJobs(driver),
    },
    upkeep: voiceUpkeepRows(driver),
    turns: voiceTurnRows(driver),
    workers: voiceWorkerRows(driver),
    events: mediaEventRows(driver),
    calls: callRows(driver),
    leases: callLeases(driver),
    trunks: trunkProvisioning(driver),
  }
}
