import { describeUse } from '@troupe/operations/agents/describe-use'
import { mayUse } from '@troupe/operations/workflows/look-up-resources'
import type { Planner } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { AgentStep } from './plan-agents.ts'
import type { WrittenTeam } from './plan-teams.ts'
import type { WorkflowStep } from './plan-workflows.ts'

/**
 * Refuses to archive or move to another project an agent that an unchanged team or published workflow uses.
 * Teams and workflows of the bundle were checked against the state after the bundle. Applying, every team
 * write and every publish hold the organization's lock, so no check misses a concurrent write.
 */
export async function checkAgentUse(
  planner: Planner,
  agents: readonly AgentStep[],
  planned: { teams: readonly Step<WrittenTeam>[]; workflows: readonly WorkflowStep[] },
): Promise<void> {
  const teams = new Set<string>(planned.teams.map(({ after }) => after.id))
  const workflows = new Set(planned.workflows.filter(({ checked }) => checked).map(({ after }) => after.id))
  for (const { path, before, after } of agents) {
    const { id, organizationId, projectId } = after
    const archived = after.status === 'archived' && before?.status !== 'archived'
    const moved = projectId !== null && before?.projectId !== projectId
    if (before === null || !(archived || moved)) continue
    const { read, problems } = planner
    const inTeams = (await read.teams.teamsOf(organizationId, id)).filter(({ teamId }) => !teams.has(teamId))
    const inWorkflows = (await read.workflows.publishedWith(organizationId, { kind: 'agent', id })).filter(
      ({ workflowId }) => !workflows.has(workflowId),
    )
    const use = archived ? describeUse(inTeams, inWorkflows) : null
    if (use !== null) problems.add(`${path}.status`, `must not be archived: the agent ${use}`)
    const isElsewhere = (user: { projectId: typeof projectId }) => !mayUse(user.projectId, projectId)
    const elsewhere = moved ? describeUse(inTeams.filter(isElsewhere), inWorkflows.filter(isElsewhere)) : null
    if (elsewhere !== null) {
      problems.add(`${path}.project`, `must not change: the agent ${elsewhere} of another project`)
    }
  }
}
