import { type AgentRunResult, DomainError, type RunId, type TeamRunResult } from '@troupe/contract'
import { onSignal, sendDelivery, untilFound } from '@troupe/durable-work'
import type { RunRecord } from '../ports/run-store.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { EventListener } from '../stream/run-events.ts'
import { prepareRun } from './prepare-run.ts'
import { finishedRun, runResult } from './run-result.ts'
import { type AcceptedRun, AlreadyStarted, startLiveRun, writeStart } from './start-live-run.ts'

const WAIT_POLL_MS = 250

/**
 * A streaming run that was just accepted, or that an earlier request with the same idempotency key started.
 */
export type StreamStart =
  | { kind: 'accepted'; runId: RunId; run: AcceptedRun }
  | { kind: 'attached'; runId: RunId }

/** A job whose row is committed. */
export interface AcceptedJob {
  jobId: RunId
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Runs agents and teams: this package's entry point. Every method throws only DomainError for expected
 * failures.
 */
export class Runner {
  readonly #deps: RunDependencies

  constructor(deps: RunDependencies) {
    this.#deps = deps
  }

  /**
   * Runs and waits for the answer, at most the synchronous limit.
   *
   * @throws DomainError as {@link prepareRun}; `execution_timeout`, `upstream_error`, `run_cancelled`,
   * `idempotency_conflict`.
   */
  async run(request: RunRequest): Promise<AgentRunResult | TeamRunResult> {
    const prepared = await prepareRun(this.#deps, request)
    try {
      const accepted = await startLiveRun(this.#deps, prepared, null)
      const executed = await accepted.executed
      if ('error' in executed) throw executed.error
      return executed.result
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error
      requireSameBody(request, error)
      return this.#resultOfFirst(request, error, prepared.subject.name)
    }
  }

  /**
   * Starts a streaming run. The listener gets `RunStarted` before this resolves, and every later event in the
   * tick in which it is emitted.
   *
   * @throws DomainError as {@link prepareRun}, `idempotency_conflict`.
   */
  async stream(request: RunRequest, listener: EventListener): Promise<StreamStart> {
    const prepared = await prepareRun(this.#deps, request)
    try {
      const run = await startLiveRun(this.#deps, prepared, listener)
      return { kind: 'accepted', runId: prepared.runId, run }
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error
      requireSameBody(request, error)
      return { kind: 'attached', runId: error.first.runId }
    }
  }

  /**
   * Accepts a job: its row is committed when this resolves. Delivery to the engine continues after the
   * response; the sweep retries failures.
   *
   * @throws DomainError as {@link prepareRun}, `idempotency_conflict`.
   */
  async enqueue(request: RunRequest): Promise<AcceptedJob> {
    const prepared = await prepareRun(this.#deps, request)
    const { runId } = prepared
    try {
      await writeStart(this.#deps, prepared)
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error
      requireSameBody(request, error)
      return this.#firstJob(request, error)
    }
    const parts = { ...this.#deps, store: this.#deps.jobs }
    this.#deps.active.background(sendDelivery(parts, { lane: 'jobs', runId, slice: 0 }))
    return { jobId: runId, createdAt: request.acceptedAt }
  }

  async #firstJob(request: RunRequest, { first }: AlreadyStarted): Promise<AcceptedJob> {
    const record = await this.#firstRun(request, first.runId)
    return { jobId: first.runId, createdAt: record.createdAt }
  }

  async #firstRun({ scope, kind, entityId, source }: RunRequest, runId: RunId): Promise<RunRecord> {
    const target = { kind, entityId, runId, isPlayground: source === 'playground' }
    const record = await this.#deps.store.find(scope, target)
    if (!record) throw new DomainError('upstream_error', 'The run of this Idempotency-Key no longer exists.')
    return record
  }

  /** Waits for the run that the first request started, in any process, and returns its answer. */
  async #resultOfFirst(
    request: RunRequest,
    { first }: AlreadyStarted,
    name: string,
  ): Promise<AgentRunResult | TeamRunResult> {
    const { now, syncSeconds, signals } = this.#deps
    const giveUpAt = request.acceptedAt + syncSeconds * 1000
    // Only a cancel sends a signal: a signal for every end would cost each synchronous run a NOTIFY.
    const cancelled = onSignal(signals, (told) => told.kind === 'run_cancelled' && told.runId === first.runId)
    const record = await untilFound(
      { wakenBy: [cancelled], pollMs: WAIT_POLL_MS, giveUpAt, now },
      async () => {
        const read = await this.#firstRun(request, first.runId)
        return read.status === 'running' || read.status === 'queued' ? null : read
      },
    )
    if (record === null) {
      throw new DomainError('execution_timeout', `The run did not finish within ${syncSeconds} seconds.`)
    }
    if (record.status !== 'completed') throw failureOf(record)
    return runResult(finishedRun(record, name, request.includeMessages))
  }
}

function requireSameBody(request: RunRequest, { first }: AlreadyStarted): void {
  if (first.bodyHash === request.idempotency?.bodyHash) return
  throw new DomainError(
    'idempotency_conflict',
    'This Idempotency-Key was used with another body in the last 24 hours.',
  )
}

/** Errors of ended runs that a repeated request gets too. */
const FAILURE_CODES = ['execution_timeout', 'budget_exceeded'] as const

function failureOf(record: RunRecord): DomainError {
  if (record.status === 'cancelled') return new DomainError('run_cancelled', 'The run was cancelled.')
  const code = FAILURE_CODES.find((known) => known === record.errorCode) ?? 'upstream_error'
  return new DomainError(code, record.errorMessage ?? 'The run failed.')
}
