import { scriptErrors } from '@troupe/operations/agents/script-check'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'

/** Refuses new and changed agents with a script that does not compile. */
export async function checkScripts(planner: Planner, agents: readonly AgentStep[]): Promise<void> {
  for (const { path, after, changed } of agents) {
    if (!changed) continue
    for (const error of await scriptErrors(planner.scripts, after.config.tools)) {
      planner.problems.add(`${path}.${error.path}`, error.message)
    }
  }
}
