import type { ApiKeyId, OrganizationId, PhoneNumberId, PhoneTrunkId, ProjectId } from '@troupe/contract'
import type { CallIdempotency } from './call-store.ts'

/** A call that the holder of an API key wants to place. */
export interface CallRequest {
  organizationId: OrganizationId
  /** Of a project-scoped key, else null. */
  projectId: ProjectId | null
  apiKeyId: ApiKeyId
  trunkId: PhoneTrunkId
  phoneNumberId: PhoneNumberId
  /** E.164 with a plus sign, or digits only. */
  to: string
  idempotency: CallIdempotency | null
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}
