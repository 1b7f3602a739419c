import type { AcceptedJob, RunRequest } from '@troupe/agents'
import type { AcceptedAgentJob, AcceptedTeamJob } from '@troupe/contract'

/** The acknowledgement of a job. A repeated request gets the same one, whatever has become of the job since. */
export function acceptedJob(
  { kind, entityId }: RunRequest,
  { jobId, createdAt }: AcceptedJob,
): AcceptedAgentJob | AcceptedTeamJob {
  const entity = kind === 'agent' ? { agentId: entityId } : { teamId: entityId }
  const job = { jobId, ...entity, status: 'queued', createdAt: Math.floor(createdAt / 1000) }
  return job as AcceptedAgentJob | AcceptedTeamJob
}
