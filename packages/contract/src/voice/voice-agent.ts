import { type Static, Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import type { AgentId, ProjectId, VoiceConfigurationId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** An agent with a voice configuration, as listed by the API. */
export const VoiceAgent = Type.Object({
  agentId: Uuid<AgentId>(),
  name: Type.String(),
  description: Type.String({ description: 'Empty when the agent has none.' }),
  voiceConfigId: Uuid<VoiceConfigurationId>(),
  voiceProvider: Type.String({ description: 'The text-to-speech provider.' }),
  sttProvider: Type.String({ description: 'The speech-to-text provider.' }),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level agent.' })),
})
export type VoiceAgent = Static<typeof VoiceAgent>
