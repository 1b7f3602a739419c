import type { OrganizationId, ProjectId, VoiceConfigurationId } from '@troupe/contract'

/** The voice of an agent. */
export interface AgentVoice {
  organizationId: OrganizationId
  /** The project of the agent. */
  projectId: ProjectId | null
  voiceConfigId: VoiceConfigurationId
}

/** The speech keys of an agent, checked before a call: a credential may have been deleted or narrowed since the configuration. */
export interface SpeechKeys {
  /** Whether at least one provider of speech recognition and one of speech synthesis can be used. */
  canConverse(voice: AgentVoice): Promise<boolean>
}
