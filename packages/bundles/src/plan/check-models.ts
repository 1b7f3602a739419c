import type { AgentConfig, ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/database'
import { llmReferencesOf, unlistedModels } from '@troupe/operations/agents/llm-references'
import { mayUse } from '@troupe/operations/workflows/look-up-resources'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'
import type { LlmConfigurationStep } from './plan-llm-configurations.ts'
import type { TeamStep } from './plan-teams.ts'

/**
 * The LLM configurations as they will be after the bundle is applied, and the agents and leads that use them.
 */
interface Models {
  steps: readonly LlmConfigurationStep[]
  stored: readonly LlmConfigurationRecord[]
  agents: readonly AgentStep[]
  teams: readonly TeamStep[]
}

/**
 * Refuses agents and managed leads that name a model which their LLM configuration, or the default one, does
 * not offer.
 */
export function checkModels(planner: Planner, { steps, stored, agents, teams }: Models): void {
  const planned = new Set(steps.map(({ after }) => after.id))
  // Stored configurations are oldest first; new ones follow them.
  const all = [...stored.filter(({ id }) => !planned.has(id)), ...steps.map(({ after }) => after)]
  const check = (path: string, projectId: ProjectId | null, model: AgentConfig['model']) => {
    const usable = all.filter((one) => one.status === 'connected' && mayUse(projectId, one.projectId))
    for (const problem of unlistedModels(usable, projectId, llmReferencesOf(model, path))) {
      planner.problems.add(problem.path, problem.message)
    }
  }
  for (const { path, after } of agents) check(`${path}.config.model`, after.projectId, after.config.model)
  for (const { path, after } of teams) {
    const { lead } = after.config
    if ('managed' in lead) check(`${path}.lead.managed.model`, after.projectId, lead.managed.model)
  }
}
