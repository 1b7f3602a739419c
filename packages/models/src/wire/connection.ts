import type { Clock } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import type { WireProtocol } from '../provider/provider.ts'
import type { RequestField } from './request-fields.ts'

/** What requests of one connection are made with. */
export interface CheckedFetch {
  fetch: typeof globalThis.fetch
  providerId: ProviderId
  /** Of its chat models; null where none makes requests. */
  protocol: WireProtocol | null
  /** Whether its server may be one that never says a finish reason. */
  mayLackFinishReason: boolean
  /** Fields that the configuration says to leave out. */
  leftOut: readonly RequestField[]
  clock: Clock
}
