import type { AcceptedJob, RunRequest } from '@troupe/agents'
import { type AcceptedAgentJob, type AcceptedTeamJob, AgentId, checkedId, TeamId } from '@troupe/contract'

/** The acknowledgement of a job. A repeated request gets the same one, regardless of the job's current status. */
export function acceptedJob(
  { kind, entityId }: RunRequest,
  { jobId, createdAt }: AcceptedJob,
): AcceptedAgentJob | AcceptedTeamJob {
  const job = { jobId, status: 'queued', createdAt: Math.floor(createdAt / 1000) } as const
  return kind === 'agent'
    ? { ...job, agentId: checkedId(AgentId, entityId) }
    : { ...job, teamId: checkedId(TeamId, entityId) }
}
