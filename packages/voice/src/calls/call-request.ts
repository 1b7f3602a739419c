import type { ApiKeyId, OrganizationId, PhoneNumberId, PhoneTrunkId, ProjectId } from '@troupe/contract'
import type { CallIdempotency } from './call-store.ts'

/** A call requested by the holder of an API key. */
export interface CallRequest {
  organizationId: OrganizationId
  /** The project of a project-scoped key, else null. */
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
