import type { Scope } from '@troupe/agents/ports'
import type { ApiKeyId, OrganizationId, ProjectId } from '@troupe/contract'

/** Who sent a request: an API key in force. It is a {@link Scope}, so that readers take it as it is. */
export interface Principal extends Scope {
  readonly keyId: ApiKeyId
  readonly organizationId: OrganizationId
  /** null: organization-scoped, sees every project and the organization level. */
  readonly projectId: ProjectId | null
  /** Requests per window of the organization. */
  readonly organizationRpm: number
  /** Requests per window of the key; null: no limit of its own. */
  readonly keyRpm: number | null
}
