import type { Scope } from '@troupe/agents/ports'
import type { ApiKeyId, OrganizationId, ProjectId } from '@troupe/contract'

/** The valid API key behind a request; also a {@link Scope}, so readers accept it directly. */
export interface Principal extends Scope {
  readonly keyId: ApiKeyId
  readonly organizationId: OrganizationId
  /** null: organization-scoped, sees every project and the organization level. */
  readonly projectId: ProjectId | null
  /** Requests per window of the organization. */
  readonly organizationRpm: number
  /** Requests per window of the key; null: no per-key limit. */
  readonly keyRpm: number | null
}
