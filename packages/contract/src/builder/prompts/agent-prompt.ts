import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { AgentRunBody } from '../../runs/run-body.ts'
import { AGENT_PATH, agentParams } from '../agents/agent.ts'
import { AgentDraft } from '../agents/agent-draft.ts'
import { ModelCallPreview, PromptPart } from './model-call.ts'

const { message, session_id, user_id } = AgentRunBody.properties

/** The body with the message of a prompt preview. */
export const PromptBody = Type.Object({
  draft: Type.Optional(AgentDraft),
  message,
  sessionId: Type.Optional(session_id),
  userId: Type.Optional(user_id),
})
export type PromptBody = Static<typeof PromptBody>

/** The model's first prompt. */
export const AgentPrompt = Type.Object({ ...ModelCallPreview.properties, parts: Type.Array(PromptPart) })
export type AgentPrompt = Static<typeof AgentPrompt>

export const showAgentPromptForBuilder = defineOperation({
  id: 'showAgentPrompt',
  method: 'POST',
  path: `${AGENT_PATH}/prompt`,
  tag: 'Agents',
  summary: "Show the model's prompt for a message",
  description:
    'Made by the code of a run, without one: no model is called and nothing is stored. `sessionId` names a session of the playground. Passages of knowledge are a placeholder, and guardrails are not applied.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(agentParams),
  body: PromptBody,
  success: { status: 200, description: 'The first call of the model.', body: AgentPrompt },
  errors: [
    'validation_error',
    'agent_not_found',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
    'bad_gateway',
  ],
})
