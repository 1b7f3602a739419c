import { DomainError, type ErrorCode, WorkflowRunId } from '@troupe/contract'
import { type Delivery, LEASE_SECONDS, sendDelivery, type TurnWorker } from '@troupe/durable-work'
import type { WorkflowDependencies } from '../execution/dependencies.ts'
import type { SliceEnd } from '../execution/run-slice.ts'
import type {
  AcceptOutcome,
  ClaimedWorkflowRun,
  NewWorkflowRun,
  WorkflowRunRecord,
  WorkflowRunStore,
} from '../ports/workflow-store.ts'
import type { EndWaiter } from './end-waiter.ts'
import { TestsInFlight } from './tests-in-flight.ts'
import { VersionChanged } from './version-changed.ts'

/** A checked request to run a workflow. */
export type WorkflowRunRequest = Omit<NewWorkflowRun, 'runId' | 'waiter' | 'claim'>

/** A run that has ended, or was rejected before it began. */
export interface EndedWorkflowRun {
  runId: WorkflowRunId
  status: 'completed' | 'failed' | 'loop_limit_reached' | 'policy_blocked'
  output: unknown
  error: string | null
}

/** A stored run. A rejected one has a record but no delivery. */
export interface StartedRun {
  runId: WorkflowRunId
  /** Milliseconds since the epoch; for a repeated request the time of the first one. */
  createdAt: number
  /** The delivery to send to the engine; null when there is no work. */
  delivery: Delivery | null
  rejected: Rejected | null
}

type Accepted = Extract<AcceptOutcome, { kind: 'accepted' }>
type Rejected = Extract<AcceptOutcome, { kind: 'rejected' }>

const REFUSALS: Record<
  'workflow_not_found' | 'forbidden' | 'workflow_not_published' | 'seeds_gone' | 'seeds_too_large',
  [ErrorCode, string]
> = {
  workflow_not_found: ['workflow_not_found', 'Workflow not found in this organization.'],
  forbidden: ['forbidden', 'The workflow does not belong to the project of this API key.'],
  workflow_not_published: [
    'workflow_not_published',
    'The workflow has no active deployment. Publish it to run it.',
  ],
  seeds_gone: [
    'seed_missing',
    'The run with the stored results was erased, or lost a step, in the meantime. Nothing was started.',
  ],
  seeds_too_large: ['seed_missing', 'The stored results for the test are larger than 50 MB in total.'],
}

/**
 * Starts runs of workflows: the entry point of this folder. Throws only DomainError for expected failures, and
 * `VersionChanged` for a request with a `versionId` that is no longer active.
 */
export class WorkflowRunner {
  readonly #deps: WorkflowDependencies
  readonly #worker: TurnWorker<WorkflowRunId, ClaimedWorkflowRun, SliceEnd>
  readonly #waiter: EndWaiter

  constructor(
    deps: WorkflowDependencies,
    worker: TurnWorker<WorkflowRunId, ClaimedWorkflowRun, SliceEnd>,
    ends: EndWaiter,
  ) {
    this.#deps = deps
    this.#worker = worker
    this.#waiter = ends
  }

  /**
   * Accepts a run. It is dispatched after the response; the sweep retries failures. A run that a budget
   * blocks is accepted too: polling shows its status.
   *
   * @throws DomainError `workflow_not_found`, `forbidden`, `workflow_not_published`,
   * `concurrency_limit_reached` (with `executionId`), `idempotency_conflict`, `execution_create_failed`.
   */
  async start(request: WorkflowRunRequest): Promise<{ runId: WorkflowRunId; createdAt: number }> {
    const leave = this.#deps.engine.place?.() ?? null
    if (leave) return this.#startHere(request, leave)
    const started = await this.startWithin(this.#deps.store, request)
    if (started.rejected?.status === 'concurrency_limit_reached') throw ceilingReached(started)
    if (started.delivery) this.send(started.delivery)
    return started
  }

  /** Accepts a run with this process as its worker, which saves the delivery and the claim. */
  async #startHere(
    request: WorkflowRunRequest,
    leave: () => void,
  ): Promise<{ runId: WorkflowRunId; createdAt: number }> {
    const { workerId, active, now } = this.#deps
    const runId = this.#deps.newId(WorkflowRunId)
    const claim = { workerId, leaseSeconds: LEASE_SECONDS }
    const outcome = await this.#accept(this.#deps.store, { ...request, runId, waiter: null, claim }).catch(
      (error: unknown) => {
        leave()
        throw error
      },
    )
    if (outcome.kind === 'accepted') {
      const run = claimedRun(request, runId, outcome, { workerId, waiter: null, now: now() })
      // The worker reports a database failure; the lease expires, and the sweep makes the run due again.
      const worked = this.#worker.work(run).catch(() => {})
      active.background(worked.finally(leave))
      return { runId, createdAt: request.createdAt }
    }
    leave()
    if (outcome.kind === 'repeated') return outcome
    if (outcome.status === 'concurrency_limit_reached') throw ceilingReached({ runId, rejected: outcome })
    return { runId, createdAt: request.createdAt }
  }

  /**
   * Like {@link WorkflowRunner.start}, inside the caller's transaction: `store` is bound to it, and the
   * caller passes `delivery` to {@link WorkflowRunner.send} after the commit. Reaching the ceiling is an
   * outcome, not an error, because the rejected run's record must be committed.
   *
   * @throws DomainError `workflow_not_found`, `forbidden`, `workflow_not_published`, `idempotency_conflict`,
   * `execution_create_failed`.
   */
  async startWithin(
    store: Pick<WorkflowRunStore, 'accept'>,
    request: WorkflowRunRequest,
  ): Promise<StartedRun> {
    const runId = this.#deps.newId(WorkflowRunId)
    const outcome = await this.#accept(store, { ...request, runId, waiter: null, claim: null })
    const { createdAt } = request
    switch (outcome.kind) {
      case 'repeated':
        return { runId: outcome.runId, createdAt: outcome.createdAt, delivery: null, rejected: null }
      case 'rejected':
        return { runId, createdAt, delivery: null, rejected: outcome }
      case 'accepted':
        return { runId, createdAt, delivery: { lane: 'workflows', runId, slice: 0 }, rejected: null }
    }
  }

  /** Sends a delivery to the engine without delaying the caller's response; the sweep retries failures. */
  send(delivery: Delivery): void {
    this.#deps.active.background(sendDelivery(this.#deps, delivery))
  }

  /**
   * Runs and waits for the end, at most the synchronous limit; after that the run continues without its
   * caller. `createdAt` is that of {@link StartedRun}.
   *
   * @throws DomainError as {@link WorkflowRunner.start}; `bad_gateway` (nothing was started),
   * `execution_timeout` (with `executionId`).
   */
  async run(request: WorkflowRunRequest): Promise<EndedWorkflowRun & { createdAt: number }> {
    const { createdAt } = request
    const { executesInline, workerId, active, now } = this.#deps
    if (active.draining) {
      throw new DomainError('bad_gateway', 'This server is stopping; the run was not started. Try again.')
    }
    const runId = this.#deps.newId(WorkflowRunId)
    const claim = executesInline ? { workerId, leaseSeconds: LEASE_SECONDS } : null
    const outcome = await this.#accept(this.#deps.store, { ...request, runId, waiter: workerId, claim })
    const giveUpAt = createdAt + this.#deps.syncSeconds * 1000
    if (outcome.kind === 'repeated') {
      return { ...(await this.#waitFor(request, outcome.runId, giveUpAt)), createdAt: outcome.createdAt }
    }
    if (outcome.kind === 'rejected') {
      const { status, error } = outcome
      if (status === 'concurrency_limit_reached') throw ceilingReached({ runId, rejected: outcome })
      return { runId, status, output: null, error, createdAt }
    }
    if (!claim) {
      await this.#dispatchInline(runId)
      return { ...(await this.#waitFor(request, runId, giveUpAt)), createdAt }
    }
    const working = this.#worker.work(
      claimedRun(request, runId, outcome, { workerId, waiter: workerId, now: now() }),
    )
    const ended = await this.#waiter.within(working, giveUpAt)
    if (ended?.kind === 'ended') {
      const { status, output, error } = ended
      return { runId, status, output, error, createdAt }
    }
    return { ...(await this.#waitFor(request, runId, giveUpAt)), createdAt }
  }

  /**
   * Starts the run with this id, or finds it if it was started before, and waits for its end, however long it takes.
   *
   * @throws DomainError as {@link WorkflowRunner.start}, without `concurrency_limit_reached`, which is an end; the
   * signal's reason, and then the run continues until it is cancelled.
   */
  async runOnce(
    request: WorkflowRunRequest,
    runId: WorkflowRunId,
    signal: AbortSignal,
  ): Promise<EndedWorkflowRun> {
    const { store } = this.#deps
    const { scope } = request
    if (!(await store.find(scope, runId))) {
      signal.throwIfAborted()
      await this.#startOnce(request, runId)
    }
    const record = await this.#waiter.end(scope, runId, Number.POSITIVE_INFINITY, signal)
    if (!record) throw new DomainError('upstream_error', 'The run no longer exists.')
    return endedRun(record)
  }

  async #startOnce(request: WorkflowRunRequest, runId: WorkflowRunId): Promise<void> {
    const { store, executesInline, workerId, active, now } = this.#deps
    const claim = executesInline ? { workerId, leaseSeconds: LEASE_SECONDS } : null
    const outcome = await this.#accept(store, { ...request, runId, waiter: workerId, claim }).catch(
      async (error: unknown) => {
        // Another attempt may have written the same id since it was looked for.
        if (await store.find(request.scope, runId)) return null
        throw error
      },
    )
    if (outcome?.kind !== 'accepted') return
    if (claim) {
      const run = claimedRun(request, runId, outcome, { workerId, waiter: workerId, now: now() })
      active.background(this.#worker.work(run).catch(() => {}))
    } else {
      await this.#dispatchInline(runId)
    }
  }

  async #accept(
    store: Pick<WorkflowRunStore, 'accept'>,
    run: NewWorkflowRun,
  ): Promise<Accepted | Rejected | { kind: 'repeated'; runId: WorkflowRunId; createdAt: number }> {
    let outcome: AcceptOutcome
    try {
      outcome = await store.accept(run)
    } catch (error) {
      this.#deps.telemetry.backgroundFailed('accept workflow run', error)
      throw new DomainError(
        'execution_create_failed',
        'The run record could not be created. Nothing was started.',
        { cause: error },
      )
    }
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected') return outcome
    if (outcome.kind === 'idempotency_key_used') {
      if (outcome.bodyHash !== run.idempotency?.bodyHash) {
        throw new DomainError(
          'idempotency_conflict',
          'This Idempotency-Key was used with another body in the last 24 hours.',
        )
      }
      const first = await this.#deps.store.find(run.scope, outcome.runId)
      return { kind: 'repeated', runId: outcome.runId, createdAt: first?.createdAt ?? run.createdAt }
    }
    if (outcome.kind === 'version_changed') throw new VersionChanged()
    if (outcome.kind === 'tests_in_flight') throw new TestsInFlight(outcome.runIds)
    const [code, message] = REFUSALS[outcome.kind]
    throw new DomainError(code, message)
  }

  /** When the engine is unreachable, the waiting caller gets an immediate error; nothing was started. */
  async #dispatchInline(runId: WorkflowRunId): Promise<void> {
    if (await sendDelivery(this.#deps, { lane: 'workflows', runId, slice: 0 })) return
    if (await this.#deps.store.failDispatch(runId, 'The workflow engine could not be reached.')) {
      throw new DomainError('bad_gateway', 'The workflow engine could not be reached; nothing was started.')
    }
  }

  async #waitFor(
    { scope }: WorkflowRunRequest,
    runId: WorkflowRunId,
    giveUpAt: number,
  ): Promise<EndedWorkflowRun> {
    const record = await this.#waiter.end(scope, runId, giveUpAt)
    if (!record) {
      throw new DomainError(
        'execution_timeout',
        `The run did not finish within ${this.#deps.syncSeconds} seconds and continues. Poll or cancel it by its executionId.`,
        { executionId: runId },
      )
    }
    return endedRun(record)
  }
}

/** The response to a caller at the ceiling. */
function ceilingReached({ runId, rejected }: Pick<StartedRun, 'runId' | 'rejected'>): DomainError {
  return new DomainError('concurrency_limit_reached', rejected?.error ?? '', { executionId: runId })
}

function endedRun({ runId, status, output, error }: WorkflowRunRecord): EndedWorkflowRun {
  if (status === 'completed' || status === 'loop_limit_reached' || status === 'policy_blocked') {
    return { runId, status, output, error }
  }
  const cancelled = status === 'cancelled' ? 'The run was cancelled before it finished.' : null
  return { runId, status: 'failed', output: null, error: error ?? cancelled ?? 'The run failed.' }
}

/** The run accepted with a claim, in the form that a claim would return. */
function claimedRun(
  request: WorkflowRunRequest,
  runId: WorkflowRunId,
  accepted: Accepted,
  { workerId, waiter, now }: { workerId: string; waiter: string | null; now: number },
): ClaimedWorkflowRun {
  return {
    fence: { runId, workerId, slice: 0 },
    organizationId: request.scope.organizationId,
    projectId: accepted.projectId,
    workflowId: request.workflowId,
    versionId: accepted.versionId,
    source: request.source,
    firedNodeId: request.firedNodeId,
    input: request.input,
    variables: {},
    apiKeyId: request.apiKeyId,
    waiter,
    createdAt: request.createdAt,
    startedAt: now,
    nodeRuns: [],
    iterations: [],
    lastSeq: 0,
    storedBytes: 0,
    test: null,
  }
}
