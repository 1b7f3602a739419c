import { type Static, Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'

/** An agent with a voice configuration, as listed by the API. */
export const VoiceAgent = Type.Object({
  agentId: Uuid(),
  name: Type.String(),
  description: Type.String({ description: 'Empty when the agent has none.' }),
  voiceConfigId: Uuid(),
  voiceProvider: Type.String({ description: 'The text-to-speech provider.' }),
  sttProvider: Type.String({ description: 'The speech-to-text provider.' }),
  projectId: Nullable(Uuid({ description: 'null: an organization-level agent.' })),
})
export type VoiceAgent = Static<typeof VoiceAgent>
