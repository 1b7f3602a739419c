import {
  type AgentId,
  type ApiKeyId,
  DomainError,
  type OrganizationId,
  type ProjectId,
  type RunId,
  type TeamId,
  type WorkflowRunId,
} from '@troupe/contract'
import { LEASE_SECONDS, RunAborted, SliceEnded, type TurnEnd, TurnWorker } from '@troupe/durable-work'
import { WaitingCaller } from '../approvals/live-approvals.ts'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { RequestedOutput } from '../ports/requested-output.ts'
import type { RunnableKind } from '../ports/run-store.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunApprovals } from '../run/run-context.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { JobLane } from './job-lane.ts'
import { prepareRun } from './prepare-run.ts'
import { type FinishedRun, finishedRun } from './run-result.ts'
import { writeStart } from './start-live-run.ts'

/** A run started by a workflow's node. */
export interface ChildRun {
  /** Identical for the same node of the same run, so that a restarted node finds its run. */
  runId: RunId
  /** The workflow run that the node belongs to. */
  workflowRunId: WorkflowRunId
  kind: RunnableKind
  entityId: AgentId | TeamId
  organizationId: OrganizationId
  projectId: ProjectId | null
  apiKeyId: ApiKeyId | null
  message: string
  sessionId: string | null
  userId: string | null
  toolContext: Readonly<Record<string, unknown>>
  /** JSON required of the answer; null for text. */
  output: RequestedOutput | null
  /** Whether it may wait for approvals; otherwise calls that need one are denied. */
  mayWait: boolean
  /** Whether the workflow is tested: the run is excluded from production data, and neither reads nor writes memories about a user. */
  isTest: boolean
  /** Whether calls with effects are denied. */
  deniesEffects: boolean
}

/** The outcome of a child run. */
export type ChildEnd =
  /** `unasked`: tools whose calls needed an approval that could not be requested, as far as this process knows. */
  | { ok: true; run: FinishedRun; unasked: readonly string[] }
  /** The cost so far, unless the run never started. */
  | { ok: false; message: string; inputTokens: number; outputTokens: number }

/**
 * Runs agents and teams for workflow nodes, with the machinery of jobs but without the engine: the workflow's
 * worker executes them itself. A child that lost its worker resumes after its last committed step.
 */
export class ChildRuns {
  readonly #deps: RunDependencies
  readonly #lane: JobLane
  readonly #worker: TurnWorker<RunId, ClaimedJob>

  constructor(deps: RunDependencies, lane: JobLane) {
    this.#deps = deps
    this.#lane = lane
    this.#worker = new TurnWorker(lane, deps)
  }

  /**
   * Starts or resumes the run, and waits for its end; `waits`: it waits for approvals, without a worker, and is resumed
   * by the same call once one was decided.
   *
   * @throws the signal's reason when it fires (the child is cancelled, or released when the process stops), SliceEnded
   * if the child was released. A run that cannot start or fails is returned as an end.
   */
  async run(child: ChildRun, signal: AbortSignal): Promise<ChildEnd | 'waits'> {
    const { store, jobs, workerId } = this.#deps
    const { kind, entityId, runId } = child
    const scope = { organizationId: child.organizationId, projectId: null }
    const target = { kind, entityId, runId, isPlayground: child.isTest }
    let known = await store.find(scope, target)
    if (!known) {
      const refused = await this.#start(child)
      if (refused !== null) return { ok: false, message: refused, inputTokens: 0, outputTokens: 0 }
    }
    const caller = child.mayWait ? null : new WaitingCaller()
    const job = await jobs.claimChild(runId, workerId, LEASE_SECONDS)
    if (job) {
      const end = await this.#work(job, signal, { ...child, approvals: caller })
      if (end.kind === 'suspended') return 'waits'
      if (end.kind === 'yielded') throw signal.aborted ? signal.reason : new SliceEnded()
      if (end.kind === 'lost') throw signal.aborted ? signal.reason : new RunAborted('lost')
    }
    signal.throwIfAborted()
    known = await store.find(scope, target)
    if (known?.status === 'completed') {
      return { ok: true, run: finishedRun(known, '', false), unasked: caller?.tools ?? [] }
    }
    const { errorMessage, inputTokens = 0, outputTokens = 0 } = known ?? {}
    return { ok: false, message: errorMessage ?? 'Its run was cancelled.', inputTokens, outputTokens }
  }

  /**
   * Works until the run ends or this process releases it. When `signal` fires, the run is cancelled, or released if the
   * process stops.
   */
  async #work(
    job: ClaimedJob,
    signal: AbortSignal,
    child: ChildRun & { approvals: RunApprovals | null },
  ): Promise<TurnEnd> {
    const turn = await this.#lane.beginChild(job, child, child.approvals)
    const onAbort = () =>
      turn.controller.abort(signal.reason instanceof RunAborted ? signal.reason : new RunAborted('cancel'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    try {
      return await this.#worker.perform(turn)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Writes the row; returns the reason if the run may not start. An existing row is accepted. */
  async #start(child: ChildRun): Promise<string | null> {
    const request: RunRequest = {
      scope: { organizationId: child.organizationId, projectId: null },
      apiKeyId: child.apiKeyId,
      kind: child.kind,
      entityId: child.entityId,
      message: child.message,
      sessionId: child.sessionId,
      userId: child.isTest ? null : child.userId,
      isTest: child.isTest,
      includeMessages: false,
      tag: null,
      toolContext: child.toolContext,
      output: child.output,
      source: 'workflow',
      acceptedAt: this.#deps.now(),
      idempotency: null,
    }
    try {
      const prepared = await prepareRun(this.#deps, request)
      await writeStart(this.#deps, { ...prepared, runId: child.runId }, child.workflowRunId)
      return null
    } catch (error) {
      if (error instanceof DomainError) return error.message
      throw error
    }
  }
}
