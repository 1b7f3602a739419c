import type { Clock } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import type { WireProtocol } from '../provider/provider.ts'
import type { RequestField } from './request-fields.ts'

/** Dependencies of the requests of one connection. */
export interface CheckedFetch {
  fetch: typeof globalThis.fetch
  providerId: ProviderId
  /** Of its chat models; null where none makes requests. */
  protocol: WireProtocol | null
  /** Whether its server may be one without finish reasons. */
  mayLackFinishReason: boolean
  /** Fields that the configuration leaves out. */
  leftOut: readonly RequestField[]
  clock: Clock
}
