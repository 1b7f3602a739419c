import type { OrganizationId } from '@troupe/contract'
import { sourceFindings } from '@troupe/operations/agents/source-check'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'

/** Refuses new and changed agents with a script that does not compile, or a document without usable operations. */
export async function checkSources(
  planner: Planner,
  organizationId: OrganizationId,
  agents: readonly AgentStep[],
): Promise<void> {
  for (const { path, after, changed } of agents) {
    if (!changed) continue
    const { errors } = await sourceFindings(planner.toolSources, organizationId, after.config.tools)
    for (const error of errors) {
      planner.problems.add(`${path}.${error.path}`, error.message)
    }
  }
}
