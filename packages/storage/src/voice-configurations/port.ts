import type { Scope } from '@troupe/agents/ports'
import type { AgentId, OrganizationId, ProjectId, VoiceConfigurationId } from '@troupe/contract'
import type { voiceConfigurations } from '../tables/voice/voice-configurations.ts'

/** The speech settings of an agent. An agent has at most one configuration. */
export type VoiceConfigurationRecord = typeof voiceConfigurations.$inferSelect

/** An agent that has a voice configuration and is not archived. */
export interface VoiceAgentRow {
  agentId: AgentId
  name: string
  description: string | null
  projectId: ProjectId | null
  voiceConfigId: VoiceConfigurationId
  sttProvider: string
  ttsProvider: string
}

export interface VoiceConfigurationReader {
  /** All of an organization, by slug. */
  list(organizationId: OrganizationId): Promise<VoiceConfigurationRecord[]>
  byId(organizationId: OrganizationId, id: VoiceConfigurationId): Promise<VoiceConfigurationRecord | null>
  byAgent(organizationId: OrganizationId, agentId: AgentId): Promise<VoiceConfigurationRecord | null>
  /** Newest agent first; `total` is exact. A project scope wins over `projectId`. */
  agents(
    scope: Scope,
    filter: { projectId: ProjectId | null; page: number; limit: number },
  ): Promise<{ rows: VoiceAgentRow[]; total: number }>
}

/** A configuration as it is written; its project is that of the agent. */
export type NewVoiceConfiguration = Omit<VoiceConfigurationRecord, 'version' | 'createdAt' | 'updatedAt'>

export interface VoiceConfigurationWriter {
  /** Throws SqlError 23505 if the agent has another configuration, or another one has the slug. */
  insert(record: NewVoiceConfiguration): Promise<void>
  update(record: NewVoiceConfiguration): Promise<void>
  delete(organizationId: OrganizationId, id: VoiceConfigurationId): Promise<void>
}
