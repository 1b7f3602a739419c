import { type Static, Type } from 'typebox'
import { AgentConfigBody, AgentName, givenAgentSettings } from '../../agents/agent.ts'

/** An agent in its editor, saved or not. */
export const AgentDraft = Type.Object(
  {
    name: Type.Optional(AgentName),
    ...givenAgentSettings,
    config: AgentConfigBody,
  },
  { description: 'The complete configuration; absent fields have their defaults.' },
)
export type AgentDraft = Static<typeof AgentDraft>
