import type { AgentConfig, ProjectId } from '@troupe/contract'
import { llmReferencesOf, unlistedModels } from '@troupe/operations/agents/llm-references'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'
import type { TeamStep } from './plan-teams.ts'
import type { UsableLlms } from './planned-llm-configurations.ts'

/** The agents and leads of a bundle with the LLM configurations that they may use. */
interface Models {
  usable: UsableLlms
  agents: readonly AgentStep[]
  teams: readonly TeamStep[]
}

/**
 * Refuses agents and managed leads that name a model which their LLM configuration, or the default one, does
 * not offer.
 */
export function checkModels(planner: Planner, { usable, agents, teams }: Models): void {
  const check = (path: string, projectId: ProjectId | null, model: AgentConfig['model']) => {
    for (const problem of unlistedModels(usable(projectId), projectId, llmReferencesOf(model, path))) {
      planner.problems.add(problem.path, problem.message)
    }
  }
  for (const { path, after } of agents) check(`${path}.config.model`, after.projectId, after.config.model)
  for (const { path, after } of teams) {
    const { lead } = after.config
    if ('managed' in lead) check(`${path}.lead.managed.model`, after.projectId, lead.managed.model)
  }
}
