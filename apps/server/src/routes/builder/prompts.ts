import { type ShowPromptParts, showAgentPrompt } from '@troupe/builder/prompts/show-agent-prompt'
import { showNewTeamPrompts, showTeamPrompts } from '@troupe/builder/prompts/show-team-prompts'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import type { AnyId } from '@troupe/contract'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'

/** What models would see of a message. */
export function registerPrompts(app: App, parts: ShowPromptParts & { newId: () => AnyId }): void {
  registerOperation(app, BUILDER_OPERATIONS.showAgentPrompt, ({ caller, params, body }) =>
    showAgentPrompt(parts, caller, params.agentId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.showTeamPrompts, ({ caller, params, body }) =>
    showTeamPrompts(parts, caller, params.teamId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.showNewTeamPrompts, ({ caller, body }) =>
    showNewTeamPrompts(parts, caller, body),
  )
}
