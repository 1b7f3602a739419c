import type { ProjectId } from '@troupe/contract'
import {
  guardrailReferences,
  type LlmReference,
  llmReferencesOf,
  unlistedModels,
  unpricedModels,
} from '@troupe/operations/agents/llm-references'
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

/** Refuses agents and managed leads with a model that their LLM configuration, or the default one, does not offer. */
export function checkModels(planner: Planner, { usable, agents, teams }: Models): void {
  const check = (projectId: ProjectId | null, references: readonly LlmReference[]) => {
    for (const problem of unlistedModels(usable(projectId), projectId, references)) {
      planner.problems.add(problem.path, problem.message)
    }
  }
  const checkPrices = (projectId: ProjectId | null, references: readonly LlmReference[]) => {
    for (const problem of unpricedModels(usable(projectId), projectId, references)) {
      planner.problems.add(problem.path, problem.message)
    }
  }
  for (const { path, after } of agents) {
    const models = llmReferencesOf(after.config.model, `${path}.config.model`)
    check(after.projectId, models)
    if (after.config.execution.budget.max_cost_usd !== null) checkPrices(after.projectId, models)
    check(after.projectId, guardrailReferences(after.config.guardrails, `${path}.config.guardrails`))
  }
  for (const { path, after } of teams) {
    const { lead, guardrails } = after.config
    check(after.projectId, guardrailReferences(guardrails, `${path}.guardrails`))
    if ('managed' in lead) {
      check(after.projectId, llmReferencesOf(lead.managed.model, `${path}.lead.managed.model`))
    }
  }
}
