import type { Scope } from '@troupe/agents/ports'
import type { LlmConfigId, OrganizationId } from '@troupe/contract'
import type { llmConfigurations } from '../tables/configuration/llm-configurations.ts'

/** An LLM configuration; credentials stay sealed (see packages/secrets). */
export type LlmConfigurationRecord = typeof llmConfigurations.$inferSelect

export interface LlmConfigurationReader {
  /**
   * Connected configurations visible to the scope, oldest first: an organization-scoped caller sees all of them, a
   * project-scoped one the organization level and its own project.
   */
  visible(scope: Scope): Promise<LlmConfigurationRecord[]>
  /** All of an organization, regardless of their status. */
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
