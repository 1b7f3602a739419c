import { usedByWorkflows } from '@troupe/operations/agents/describe-use'
import { mayUse } from '@troupe/operations/workflows/look-up-resources'
import type { Planner } from '../resolve/planner.ts'
import type { TeamStep } from './plan-teams.ts'
import type { WorkflowStep } from './plan-workflows.ts'

/** Refuses to move a team away from published workflows that the bundle does not republish. */
export async function checkTeamUse(
  planner: Planner,
  teams: readonly TeamStep[],
  workflows: readonly WorkflowStep[],
): Promise<void> {
  const checked = new Set(workflows.filter((step) => step.checked).map(({ after }) => after.id))
  for (const { path, before, after } of teams) {
    const { id, organizationId, projectId } = after
    if (before === null || projectId === null || before.projectId === projectId) continue
    const stored = await planner.read.workflows.publishedWith(organizationId, { kind: 'team', id })
    const [use] = usedByWorkflows(
      stored.filter((row) => !checked.has(row.workflowId) && !mayUse(row.projectId, projectId)),
    )
    if (use !== undefined)
      planner.problems.add(`${path}.project`, `must not change: the team ${use} of another project`)
  }
}
