import { describeUse } from '@troupe/operations/agents/describe-use'
import { mayUse } from '@troupe/operations/workflows/look-up-resources'
import type { NewVoiceConfiguration, WrittenPhoneNumber } from '@troupe/storage'
import type { Planner } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { AgentStep } from './plan-agents.ts'
import type { WrittenTeam } from './plan-teams.ts'
import type { WorkflowStep } from './plan-workflows.ts'

/**
 * Refuses to archive an agent, or to move it to another project, while an unchanged team, published workflow or agent
 * uses it; also refuses to archive one that answers a phone number after the bundle. Teams and workflows of the bundle
 * were checked against the state after the bundle. Applying and every publish lock the organization, and every write of
 * a team holds it, so no check misses a concurrent write.
 */
export async function checkAgentUse(
  planner: Planner,
  agents: readonly AgentStep[],
  planned: {
    teams: readonly Step<WrittenTeam>[]
    workflows: readonly WorkflowStep[]
    voiceConfigurations: readonly Step<NewVoiceConfiguration>[]
    phoneNumbers: readonly Step<WrittenPhoneNumber>[]
  },
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
    const others = archived ? await otherUse(planner, after, { agents, ...planned }) : undefined
    const use = archived ? describeUse(inTeams, inWorkflows, others) : null
    if (use !== null) problems.add(`${path}.status`, `must not be archived: the agent ${use}`)
    const isElsewhere = (user: { projectId: typeof projectId }) => !mayUse(user.projectId, projectId)
    const elsewhere = moved ? describeUse(inTeams.filter(isElsewhere), inWorkflows.filter(isElsewhere)) : null
    if (elsewhere !== null) {
      problems.add(`${path}.project`, `must not change: the agent ${elsewhere} of another project`)
    }
  }
}

/** The agents outside the bundle with the agent as a tool, and its phone numbers after the bundle. */
async function otherUse(
  { read }: Planner,
  { id, organizationId }: AgentStep['after'],
  {
    agents,
    voiceConfigurations,
    phoneNumbers,
  }: Pick<Parameters<typeof checkAgentUse>[2], 'voiceConfigurations' | 'phoneNumbers'> & {
    agents: readonly AgentStep[]
  },
) {
  const inBundle = new Set<string>(
    [...agents, ...voiceConfigurations, ...phoneNumbers].map(({ after }) => after.id),
  )
  const callers = await read.builder.resourceUsers.callingAgents(organizationId, id)
  const stored = await read.voiceConfigurations.byAgent(organizationId, id)
  const voices = [
    ...voiceConfigurations.map(({ after }) => after).filter(({ agentId }) => agentId === id),
    ...(stored && !inBundle.has(stored.id) ? [stored] : []),
  ]
  const numbers = phoneNumbers
    .map(({ after }) => after)
    .filter(({ voiceConfigId }) => voices.some((voice) => voice.id === voiceConfigId))
  for (const voice of voices) {
    const answered = await read.phone.numbersOf(organizationId, voice.id)
    numbers.push(...answered.filter((number) => !inBundle.has(number.id)))
  }
  return { agents: callers.filter((caller) => !inBundle.has(caller.id)), numbers }
}
