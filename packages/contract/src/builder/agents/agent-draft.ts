import { type Static, Type } from 'typebox'
import { AgentConfigBody, AgentDescription, AgentName } from '../../agents/agent.ts'

/** An agent as its editor has it, saved or not. */
export const AgentDraft = Type.Object(
  {
    name: Type.Optional(AgentName),
    description: Type.Optional(AgentDescription),
    config: AgentConfigBody,
  },
  { description: 'The configuration is taken whole; what is absent has its default.' },
)
export type AgentDraft = Static<typeof AgentDraft>
