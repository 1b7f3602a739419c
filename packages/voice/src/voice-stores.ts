import type { CallStore } from './calls/call-store.ts'
import type { LeaseStore } from './leases/lease-store.ts'
import type { MediaEventLog } from './media/media-event-log.ts'
import type { VoiceSessionStore, VoiceUpkeepStore } from './sessions/session-store.ts'
import type { VoiceTurnStore } from './sessions/turn-store.ts'
import type { TrunkProvisioningStore } from './trunks/trunk-store.ts'
import type { VoiceWorkerStore } from './workers/worker-store.ts'

/** The rows of voice, as `packages/storage/src/voice` stores them; exposed as `database.voice`. */
export interface VoiceStores {
  sessions: VoiceSessionStore
  upkeep: VoiceUpkeepStore
  turns: VoiceTurnStore
  workers: VoiceWorkerStore
  events: MediaEventLog
  calls: CallStore
  leases: LeaseStore
  trunks: TrunkProvisioningStore
}
