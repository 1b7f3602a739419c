import { propertyOf } from '@troupe/contract'
import { findPinnedAgentSubject } from '../agent/agent-subject.ts'
import { historyLimits, readSessionState } from '../memory/session.ts'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { StoredEvent } from '../ports/run-store.ts'
import type { RunProviders, RunRows, RunTurns } from '../run/dependencies.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject } from '../run/subject.ts'
import { findPinnedTeamSubject } from '../team/team-subject.ts'

/**
 * The agent or team of a job in the version that the job was accepted with; null when that version no longer
 * exists.
 */
async function pinnedSubject(deps: RunRows, job: ClaimedJob): Promise<RunSubject | null> {
  return job.kind === 'agent' ? findPinnedAgentSubject(deps, job) : findPinnedTeamSubject(deps, job)
}

/** The part of a request that a job's row holds encrypted, and that a workflow's node passes with each turn. */
export type TurnInput = Pick<RunRequest, 'toolContext' | 'output' | 'isTest' | 'deniesEffects'>

/** The input of a job's turn, from its row. Without the key, tools report the missing input. */
export function storedInput(
  deps: RunProviders & RunTurns,
  { runId, toolContextSealed }: ClaimedJob,
): TurnInput {
  if (toolContextSealed === null) return { toolContext: {}, output: null }
  try {
    return { toolContext: deps.toolContexts.open(runId, toolContextSealed), output: null }
  } catch (error) {
    deps.telemetry.backgroundFailed('open tool_context', error)
    return { toolContext: {}, output: null }
  }
}

/**
 * The run of a claimed job as it was accepted, with the history that was complete when it started. null if its agent or
 * team no longer exists.
 */
export async function prepareTurn(
  deps: RunRows & RunProviders & RunTurns,
  job: ClaimedJob,
  given: TurnInput = storedInput(deps, job),
): Promise<PreparedRun | null> {
  const subject = await pinnedSubject(deps, job)
  if (!subject) return null
  const { organizationId, projectId, kind, userId, input, includeMessages, tag, apiKeyId, createdAt } = job
  const { entityId, sessionId } = job
  const isPlayground = given.isTest ?? false
  const session = { organizationId, projectId, kind, entityId, sessionId, isPlayground }
  // Runs accepted after this one are excluded in every turn, even if they finished earlier.
  const limits = { ...historyLimits(subject.memory, subject.resolved), beforeSeq: job.sessionSeq }
  const state = job.sessionSeq === 1 ? null : await readSessionState(deps.store, session, limits)
  const request = {
    scope: { organizationId, projectId: null },
    apiKeyId,
    kind,
    entityId,
    message: input,
    sessionId: job.sessionId,
    userId: job.namesUser ? userId : null,
    includeMessages,
    tag,
    ...given,
    source: 'api_async' as const,
    acceptedAt: createdAt,
    idempotency: null,
  }
  return { runId: job.runId, request, subject, session, state, userId, isBudgeted: false }
}

/** A message of the log that no reset has voided. */
export interface OpenMessage {
  messageId: string
  source: unknown
}

/** The messages of committed steps: their text remains valid when other steps run again. */
function committedMessages(steps: ClaimedJob['steps']): Set<unknown> {
  return new Set(
    [...steps.values()].flatMap(({ output }) => [
      propertyOf(output, 'messageId'),
      propertyOf(output, 'asideId'),
    ]),
  )
}

/** Messages that a lost turn left unfinished: they have text, and their step runs again. */
export function abandonedMessages(log: readonly StoredEvent[], steps: ClaimedJob['steps']): OpenMessage[] {
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
