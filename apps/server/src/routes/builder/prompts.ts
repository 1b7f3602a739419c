import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { type TryGuardrailsParts, tryGuardrails } from '@troupe/operations/guardrails/try-guardrails'
import { type ShowPromptParts, showAgentPrompt } from '@troupe/operations/prompts/show-agent-prompt'
import { showNewTeamPrompts, showTeamPrompts } from '@troupe/operations/prompts/show-team-prompts'

/** Previews: the prompt for a message, and the effect of guardrail rules on a text. */
export function registerPrompts(app: App, parts: ShowPromptParts & TryGuardrailsParts): void {
  registerOperation(app, BUILDER_OPERATIONS.showAgentPrompt, ({ caller, params, body }) =>
    showAgentPrompt(parts, caller, params.agentId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.showTeamPrompts, ({ caller, params, body }) =>
    showTeamPrompts(parts, caller, params.teamId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.showNewTeamPrompts, ({ caller, body }) =>
    showNewTeamPrompts(parts, caller, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.tryGuardrails, ({ caller, body }) =>
    tryGuardrails(parts, caller, body),
  )
}
