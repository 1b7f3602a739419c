import type { CatalogModel, Scope } from '@troupe/agents/ports'
import type { LlmConfigId, OrganizationId, ProjectId, ProviderId } from '@troupe/contract'

/** An LLM configuration; credentials stay sealed (see packages/secrets). */
export interface LlmConfigurationRecord {
  id: LlmConfigId
  organizationId: OrganizationId
  projectId: ProjectId | null
  slug: string
  name: string
  providerId: ProviderId
  status: 'connected' | 'disconnected'
  isDefault: boolean
  baseUrl: string | null
  /** AES-256-GCM envelope as text (`<key id>.<iv>.<tag>.<ciphertext>`), or null without credentials. */
  sealedCredentials: string | null
  /** When each credential was last set: ISO 8601 by the name of its field. */
  credentialsSetAt: Record<string, string>
  settings: Record<string, unknown>
  models: CatalogModel[]
  /** Whether agents may use models that are not in `models`. */
  allowUnlistedModels: boolean
  /** Increases with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface LlmConfigurationReader {
  /**
   * Connected ones visible to the scope, oldest first: an organization-scoped caller sees all of them, a
   * project-scoped one the organization level and its own project.
   */
  visible(scope: Scope): Promise<LlmConfigurationRecord[]>
  /** All of an organization, whatever their status. */
  list(organizationId: OrganizationId): Promise<LlmConfigurationRecord[]>
}

/** A configuration as it is written; without `credentialsSetAt`, those times are unchanged. */
export type WrittenLlmConfiguration = Omit<
  LlmConfigurationRecord,
  'version' | 'createdAt' | 'updatedAt' | 'credentialsSetAt'
> &
  Partial<Pick<LlmConfigurationRecord, 'credentialsSetAt'>>

export interface LlmConfigurationWriter {
  insert(record: WrittenLlmConfiguration): Promise<void>
  /** Increases `version`. */
  update(record: WrittenLlmConfiguration): Promise<void>
  delete(organizationId: OrganizationId, id: LlmConfigId): Promise<void>
}
