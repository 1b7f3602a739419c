import { DomainError, type WorkflowRunId } from '@troupe/contract'
import { LEASE_SECONDS } from '@troupe/durable-work'
import { sessionOfAnotherUser } from '../memory/session.ts'
import type { StartOutcome } from '../ports/run-store.ts'
import type { RunDependencies, RunProviders } from '../run/dependencies.ts'
import type { EndOutcome, RunOutcome } from '../run/run-outcome.ts'
import type { PreparedRun } from '../run/subject.ts'
import type { EventListener } from '../stream/run-events.ts'
import { type Executed, endRun } from './end-run.ts'
import { LiveRun, workingSeconds } from './live-run.ts'
import { reservationOf } from './reservation.ts'

/** An accepted run: its row is committed. */
export interface AcceptedRun {
  /** Resolves when the end is committed; never rejects. */
  executed: Promise<Executed>
  /** Stops the run because its reader disconnected. */
  disconnect(): void
}

type Started = Extract<StartOutcome, { kind: 'started' }>
type KeyUsed = Extract<StartOutcome, { kind: 'idempotency_key_used' }>

/** An earlier request with the same idempotency key has already started the run. */
export class AlreadyStarted extends Error {
  override readonly name = 'AlreadyStarted'
  readonly first: KeyUsed

  constructor(first: KeyUsed) {
    super('idempotency key used')
    this.first = first
  }
}

/**
 * Writes the row of a run; a job's row also has its delivery due. `workflowRunId` is the workflow run whose node it is.
 *
 * @throws AlreadyStarted, or DomainError `validation_error` if the session belongs to another user, `budget_exceeded`
 * if a budget of the organization or the project is used up.
 */
export async function writeStart(
  deps: RunDependencies,
  run: PreparedRun,
  workflowRunId: WorkflowRunId | null = null,
): Promise<Started> {
  const { runId, request, session, userId, subject } = run
  const started = await deps.store.start({
    runId,
    session,
    userId,
    userIdGiven: request.userId !== null,
    entityVersionId: subject.entityVersionId,
    pins: subject.pins,
    source: request.source,
    workflowRunId,
    limitSeconds: workingSeconds(deps, run),
    input: request.message,
    includeMessages: request.includeMessages,
    storeMessages: subject.storeMessages,
    tag: request.tag,
    apiKeyId: request.apiKeyId,
    startedByUserId: request.startedByUserId ?? null,
    workerId: deps.workerId,
    leaseSeconds: LEASE_SECONDS,
    createdAt: request.acceptedAt,
    toolContextSealed: sealedContext(deps, run),
    reserved: reservationOf(run),
    idempotency: request.idempotency,
  })
  if (started.kind === 'idempotency_key_used') throw new AlreadyStarted(started)
  if (started.kind === 'budget_exceeded') throw new DomainError('budget_exceeded', started.message)
  if (started.kind === 'session_of_another_user') throw sessionOfAnotherUser()
  return started
}

/** Only jobs and runs of workflow nodes need it: every other run keeps its context in memory until its end. */
function sealedContext(deps: RunProviders, { runId, request }: PreparedRun): string | null {
  const { source, toolContext } = request
  const isResumed = source === 'api_async' || source === 'workflow'
  if (!isResumed || Object.keys(toolContext).length === 0) return null
  return deps.toolContexts.seal(runId, toolContext)
}

/**
 * Starts a synchronous or streaming run. Writes the row concurrently with the work, so that the write adds no latency.
 * With an idempotency key or a budget the row is written first: a repeated or refused request must not reach a model.
 *
 * @throws AlreadyStarted, or DomainError `validation_error` if the session belongs to another user, `budget_exceeded`
 * if a budget of the organization or the project is used up.
 */
export async function startLiveRun(
  deps: RunDependencies,
  prepared: PreparedRun,
  listener: EventListener | null,
): Promise<AcceptedRun> {
  const run = new LiveRun(deps, prepared, listener)
  run.startDeadline()
  const starting = writeStart(deps, prepared)
  const mayBeRefused = prepared.request.idempotency !== null || prepared.isBudgeted
  const outcome = (mayBeRefused ? starting : Promise.resolve()).then(() => run.work())
  outcome.catch(() => {})
  try {
    // Two concurrent first runs of a session may both leave the user unnamed: the row has the session's actual owner.
    run.announce((await starting).ownerUserId)
  } catch (error) {
    run.clearDeadline()
    run.abort('cancel')
    throw error
  }
  const executed = outcome
    .then((ended) => endRun(deps, run, unsliced(ended)))
    .finally(() => run.clearDeadline())
  deps.active.add(prepared.runId, run.controller, executed)
  return { executed, disconnect: () => run.abort('disconnect') }
}

/** Only jobs have turns. */
function unsliced(outcome: RunOutcome): EndOutcome {
  if (outcome.kind !== 'slice_ended' && outcome.kind !== 'parked') return outcome
  return { kind: 'failed', message: 'The run failed unexpectedly.', internal: 'turn ended', defect: true }
}
