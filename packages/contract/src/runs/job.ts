import { type Static, type TProperties, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { AgentId, RunId, TeamId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { Citations } from './citation.ts'
import { guardrailFlags } from './guardrail-flag.ts'
import { RunMessage } from './message.ts'
import { RunMetrics } from './metrics.ts'
import { RunPlan } from './plan.ts'

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'timeout', 'cancelled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

const result = {
  content: Type.String(),
  sessionId: Type.String(),
  userId: Type.String(),
  metrics: RunMetrics,
  messages: Nullable(Type.Array(RunMessage)),
  citations: Citations,
  success: Type.Boolean({ description: 'False for a refusal or a goal that was not reached.' }),
  ...guardrailFlags,
}

const job = <P extends TProperties, R extends TProperties>(entity: P, more: R) =>
  Type.Object({
    jobId: Uuid<RunId>(),
    ...entity,
    status: Choice(JOB_STATUSES),
    createdAt: UnixSeconds(),
    startedAt: Nullable(UnixSeconds()),
    completedAt: Nullable(UnixSeconds()),
    result: Nullable(Type.Object({ ...result, ...more }, { description: 'Only when `completed`.' })),
    error: Nullable(Type.String({ description: 'Only when `failed` or `timeout`.' })),
  })

/** An asynchronous run of an agent. */
export const AgentJob = job({ agentId: Uuid<AgentId>() }, {})
export type AgentJob = Static<typeof AgentJob>

/** An asynchronous run of a team. */
export const TeamJob = job({ teamId: Uuid<TeamId>() }, { plan: Type.Optional(RunPlan) })
export type TeamJob = Static<typeof TeamJob>

const accepted = <P extends TProperties>(entity: P) =>
  Type.Object({ jobId: Uuid<RunId>(), ...entity, status: Choice(JOB_STATUSES), createdAt: UnixSeconds() })

/** The acknowledgement of an asynchronous agent run. */
export const AcceptedAgentJob = accepted({ agentId: Uuid<AgentId>() })
export type AcceptedAgentJob = Static<typeof AcceptedAgentJob>

/** The acknowledgement of an asynchronous team run. */
export const AcceptedTeamJob = accepted({ teamId: Uuid<TeamId>() })
export type AcceptedTeamJob = Static<typeof AcceptedTeamJob>

/** The response to a job's cancel: its status afterwards. */
export const CancelledJob = Type.Object({ jobId: Uuid<RunId>(), status: Choice(JOB_STATUSES) })
export type CancelledJob = Static<typeof CancelledJob>

export const JobParams = Type.Object({ jobId: Uuid<RunId>() })
