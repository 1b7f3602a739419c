import type { OrganizationId, ProjectId, VoiceConfigurationId } from '@troupe/contract'

/** The voice of an agent. */
export interface AgentVoice {
  organizationId: OrganizationId
  /** That of the agent. */
  projectId: ProjectId | null
  voiceConfigId: VoiceConfigurationId
}

/** What a voice needs before anybody is called: a credential may be gone or narrowed since it was configured. */
export interface SpeechKeys {
  /** Whether at least one provider that hears and one that speaks can be used. */
  canConverse(voice: AgentVoice): Promise<boolean>
}
