import type { Clock } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import type { WireProtocol } from '../provider/provider.ts'
import type { RequestField } from './request-fields.ts'

/** Dependencies of the requests of one connection. */
export interface CheckedFetch {
  fetch: typeof globalThis.fetch
  providerId: ProviderId
  /** The protocol of its chat models; null if they make no requests. */
  protocol: WireProtocol | null
  /** Whether its server may be one that sends no finish reasons. */
  mayLackFinishReason: boolean
  /** Fields that the configuration disables. */
  leftOut: readonly RequestField[]
  clock: Clock
}
