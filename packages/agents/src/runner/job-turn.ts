import { type AgentId, propertyOf, type TeamId } from '@troupe/contract'
import { findPinnedAgentSubject } from '../agent/agent-subject.ts'
import { historyLimits } from '../memory/session.ts'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { StoredEvent } from '../ports/run-store.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject } from '../run/subject.ts'
import { findPinnedTeamSubject } from '../team/team-subject.ts'

/** The agent or team of a job in the version that it was accepted with; null when that version is gone. */
async function pinnedSubject(deps: RunDependencies, job: ClaimedJob): Promise<RunSubject | null> {
  return job.kind === 'agent' ? findPinnedAgentSubject(deps, job) : findPinnedTeamSubject(deps, job)
}

/** What is not stored with a job, so that whoever lets it work gives it each time: only nodes of workflows do. */
export type TurnInput = Pick<RunRequest, 'toolContext' | 'output'>

const NO_TURN_INPUT: TurnInput = { toolContext: {}, output: null }

/**
 * The run of a claimed job as it was accepted, with the history that was complete when it started. null when its agent
 * or team does not exist any more.
 */
export async function prepareTurn(
  deps: RunDependencies,
  job: ClaimedJob,
  given: TurnInput = NO_TURN_INPUT,
): Promise<PreparedRun | null> {
  const subject = await pinnedSubject(deps, job)
  if (!subject) return null
  const { organizationId, projectId, kind, userId, input, includeMessages, tag, apiKeyId, createdAt } = job
  const session = { organizationId, projectId, kind, entityId: job.entityId, sessionId: job.sessionId }
  const loaded = await deps.store.session(session, historyLimits(subject.memory, subject.resolved))
  // Runs that were accepted later and have finished before are not seen, in no turn.
  const state = loaded && {
    ...loaded,
    history: loaded.history.filter((run) => run.seq < job.sessionSeq),
  }
  const request = {
    scope: { organizationId, projectId: null },
    apiKeyId,
    kind,
    entityId: job.entityId as AgentId | TeamId,
    message: input,
    sessionId: job.sessionId,
    userId,
    includeMessages,
    tag,
    ...given,
    source: 'api_async' as const,
    acceptedAt: createdAt,
    idempotency: null,
  }
  return { runId: job.runId, request, subject, session, state, userId }
}

/** A message of the log that no reset has voided. */
export interface OpenMessage {
  messageId: string
  source: unknown
}

/** The messages whose step was committed: their text stands, whatever else is done again. */
function committedMessages(steps: ReadonlyMap<string, unknown>): Set<unknown> {
  return new Set([...steps.values()].map((output) => propertyOf(output, 'messageId')))
}

/** What earlier turns were writing when they were lost: messages with text whose step is done again. */
export function abandonedMessages(
  log: readonly StoredEvent[],
  steps: ReadonlyMap<string, unknown>,
): OpenMessage[] {
  const open = new Map<string, unknown>()
  for (const { event, data } of log) {
    const messageId = String(data.messageId)
    if (event === 'RunContent' && !open.has(messageId)) open.set(messageId, data.source)
    if (event === 'RunContentReset') open.delete(messageId)
  }
  const standing = committedMessages(steps)
  return [...open]
    .filter(([messageId]) => !standing.has(messageId))
    .map(([messageId, source]) => ({ messageId, source }))
}
