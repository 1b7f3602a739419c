import type { TeamOfAgent } from '@troupe/database'
import { describeUse } from '../../operations/agents/require-unused.ts'
import type { AgentStep } from './plan-agents.ts'
import type { WrittenTeam } from './plan-teams.ts'
import type { Planner } from './planner.ts'
import type { Step } from './step.ts'

/**
 * Refuses to take agents away from teams that the bundle does not change: by archiving them, or by moving them into
 * another project. What a team of the bundle names was checked with that team, so the state after the whole bundle
 * counts. Applying holds the lock of the organization, and so does everybody who writes a team: see `requireUnused`.
 */
export async function checkAgentUse(
  planner: Planner,
  agents: readonly AgentStep[],
  teams: readonly Step<WrittenTeam>[],
): Promise<void> {
  const planned = new Set<string>(teams.map(({ after }) => after.id))
  for (const { path, before, after } of agents) {
    const archived = after.status === 'archived' && before?.status !== 'archived'
    const moved = after.projectId !== null && before?.projectId !== after.projectId
    if (before === null || !(archived || moved)) continue
    const stored = await planner.read.teams.teamsOf(after.organizationId, after.id)
    const left = stored.filter(({ teamId }) => !planned.has(teamId))
    const use = archived ? describeUse(left) : null
    if (use !== null) planner.problems.add(`${path}.status`, `must not be archived: the agent ${use}`)
    const elsewhere = moved ? describeUse(left.filter((team) => isElsewhere(team, after.projectId))) : null
    if (elsewhere !== null) {
      planner.problems.add(`${path}.project`, `must not change: the agent ${elsewhere} of another project`)
    }
  }
}

function isElsewhere(team: TeamOfAgent, projectId: string | null): boolean {
  return team.projectId !== null && team.projectId !== projectId
}
