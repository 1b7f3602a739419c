import type { RunId } from '@troupe/contract'
import { RunAborted, type Turn, type TurnEnd, type TurnLane } from '@troupe/durable-work'
import type { ClaimedJob, CommittedStep, JobStore } from '../ports/job-store.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunApprovals } from '../run/run-context.ts'
import type { RunOutcome } from '../run/run-outcome.ts'
import { endRun, persistently } from './end-run.ts'
import { abandonedMessages, prepareTurn, storedInput, type TurnInput } from './job-turn.ts'
import { LiveRun } from './live-run.ts'

/** How long one turn of a job lasts before it yields at its next step, in milliseconds. */
const TURN_MS = 60_000

/**
 * The lane of jobs. A job's state is in its rows: every finished step is committed under the claim's fence,
 * and a worker that has lost the job can write nothing.
 */
export class JobLane implements TurnLane<RunId, ClaimedJob> {
  readonly lane = 'jobs'
  readonly store: JobStore
  readonly #deps: RunDependencies
  readonly #turnMs: number

  constructor(deps: RunDependencies, turnMs: number = TURN_MS) {
    this.#deps = deps
    this.#turnMs = turnMs
    this.store = deps.jobs
  }

  /** The turn of a job delivered by an engine. */
  begin(job: ClaimedJob): Promise<Turn<RunId>> {
    return this.#begin(job, this.#turnMs)
  }

  /**
   * The turn of a workflow node's run, which lasts until the run ends, waits for approvals or this process stops. Input
   * that is not stored with the run is passed with each turn; the `tool_context` of a started run is stored, so that an
   * approved call gets the approved one.
   */
  beginChild(
    job: ClaimedJob,
    { toolContext, output, isTest = false, deniesEffects = false }: TurnInput,
    approvals: RunApprovals | null,
  ): Promise<Turn<RunId>> {
    const stored = job.toolContextSealed === null ? { toolContext } : storedInput(this.#deps, job)
    return this.#begin(job, null, { given: { ...stored, output, isTest, deniesEffects }, approvals })
  }

  async #begin(
    job: ClaimedJob,
    turnMs: number | null,
    { given, approvals = null }: { given?: TurnInput; approvals?: RunApprovals | null } = {},
  ): Promise<Turn<RunId>> {
    const { store } = this.#deps
    const prepared = await prepareTurn(this.#deps, job, given)
    if (!prepared) return this.#withoutSubject(job)
    const log = job.lastSeq > 0 ? await store.eventsAfter(job.runId, 0) : []
    const run: LiveRun = new LiveRun(this.#deps, prepared, null, {
      job,
      log,
      commit: (key, step) => this.#commit(run, key, step),
      approvals,
    })
    run.announceTurn(job, abandonedMessages(log, job.steps))
    return {
      runId: job.runId,
      controller: run.controller,
      work: () => this.#work(run, job, turnMs),
      endTurn: () => run.context.journal.end(),
    }
  }

  /** Never rejects: failures are reported with the run, and the lease expires. */
  async #work(run: LiveRun, job: ClaimedJob, turnMs: number | null): Promise<TurnEnd> {
    const { journal } = run.context
    const turn = turnMs === null ? undefined : setTimeout(() => journal.end(), turnMs)
    run.startDeadline()
    try {
      const outcome = await run.work()
      await journal.settled()
      return await this.#endTurn(run, job, { outcome, isChild: turnMs === null })
    } catch (error) {
      this.#deps.telemetry.turnEnded(run.observed())
      this.#deps.telemetry.backgroundFailed('end of a turn', error)
      return { kind: 'lost' }
    } finally {
      clearTimeout(turn)
      run.clearDeadline()
    }
  }

  async #endTurn(
    run: LiveRun,
    job: ClaimedJob,
    { outcome, isChild }: { outcome: RunOutcome; isChild: boolean },
  ): Promise<TurnEnd> {
    if (outcome.kind === 'aborted' && outcome.reason === 'lost') {
      this.#deps.telemetry.turnEnded(run.observed())
      return { kind: 'lost' }
    }
    const stopped = outcome.kind === 'aborted' && outcome.reason === 'shutdown'
    if (outcome.kind === 'parked' && !run.context.journal.isEnding) {
      const end = await this.#park(run, job)
      // No engine delivers the run of a workflow's node: its workflow is continued instead.
      return isChild && end.kind === 'yielded' ? { kind: 'suspended' } : end
    }
    // A turn that ended because a call parked may have left other work undone.
    if (outcome.kind === 'slice_ended' || outcome.kind === 'parked' || stopped) return this.#yield(run, job)
    await endRun(this.#deps, run, outcome)
    return { kind: 'ended' }
  }

  async #yield(run: LiveRun, { runId, fence }: ClaimedJob): Promise<TurnEnd> {
    return this.#giveBack(run, async () => {
      const slice = await this.store.yield(runId, fence)
      return slice === null ? null : { slice, dueAt: 0 }
    })
  }

  /**
   * At least a second from now: if this process's clock is ahead of the database's, it would otherwise deliver
   * immediately and repeatedly until the approval has expired there too.
   */
  async #park(run: LiveRun, { runId, fence }: ClaimedJob): Promise<TurnEnd> {
    return this.#giveBack(run, async () => {
      const parked = await this.store.park(runId, fence)
      if (parked === null || parked.dueAt === 0) return parked
      return { ...parked, dueAt: Math.max(parked.dueAt, this.#deps.now() + 1_000) }
    })
  }

  async #giveBack(
    run: LiveRun,
    write: () => Promise<{ slice: number; dueAt: number } | null>,
  ): Promise<TurnEnd> {
    const { runId } = run.context.identity
    await run.context.output.events?.flush()
    const next = await persistently(this.#deps, 'yield', write)
    if (next === null && (await this.#whyStopped(runId)) === 'cancel') {
      await endRun(this.#deps, run, { kind: 'aborted', reason: 'cancel' })
      return { kind: 'ended' }
    }
    this.#deps.telemetry.turnEnded(run.observed())
    return next === null ? { kind: 'lost' } : { kind: 'yielded', ...next }
  }

  /**
   * Stores a finished step with its ledger rows, ended members and events. If another worker holds the job,
   * or it was cancelled, the run is aborted; if the database fails, the job is left to the next worker.
   */
  async #commit(run: LiveRun, key: string, step: CommittedStep['step']): Promise<void> {
    const { identity, spending, output } = run.context
    const { runId } = identity
    const { ledger } = spending
    const { prompts, members, events } = output
    const fence = run.fence
    if (!fence || !events) throw new Error('only jobs commit steps')
    const usage = ledger.take()
    const asked = prompts.take()
    // A member's row is written with its own step: if the step is lost and runs again, the row must be that of the
    // second run.
    const ended = members.unwritten().filter(({ stepKey }) => stepKey === key)
    const approval = run.jobApprovals?.openedIn(key) ?? null
    try {
      await events.commitWith(async (rows) => {
        const held = await persistently(this.#deps, 'commit step', () =>
          this.store.commitStep({
            ...{ runId, fence, key, step, usage, prompts: asked },
            ...{ members: ended, events: rows, approval },
          }),
        )
        // Thrown inside the callback, so that the rows stay pending: a cancelled run must still write them.
        if (!held) throw new RunAborted(await this.#whyStopped(runId))
      })
      members.markWritten(ended)
    } catch (error) {
      ledger.giveBack(usage)
      prompts.giveBack(asked)
      if (!(error instanceof RunAborted)) this.#deps.telemetry.backgroundFailed('commit step', error)
      run.abort(error instanceof RunAborted ? error.reason : 'lost')
      throw run.controller.signal.reason
    }
  }

  /** Whether the fence is void because the job has ended; this process may not have seen the cancel yet. */
  async #whyStopped(runId: RunId): Promise<'cancel' | 'lost'> {
    const [stopped] = await this.store.ended(this.#deps.workerId, [runId])
    return stopped?.reason ?? 'lost'
  }

  #withoutSubject(job: ClaimedJob): Turn<RunId> {
    return {
      runId: job.runId,
      controller: new AbortController(),
      work: () => this.#endWithoutSubject(job),
      endTurn() {},
    }
  }

  async #endWithoutSubject(job: ClaimedJob): Promise<TurnEnd> {
    const { store, signals, now } = this.#deps
    const completedAt = now()
    const error = {
      error: 'upstream_error',
      message: `The ${job.kind} of this job no longer exists.`,
    }
    const seq = job.lastSeq + 1
    const data = { runId: job.runId, createdAt: Math.floor(completedAt / 1000), ...error }
    await store.finish({
      runId: job.runId,
      organizationId: job.organizationId,
      projectId: job.projectId,
      kind: job.kind,
      entityId: job.entityId,
      fence: job.fence,
      status: 'failed',
      success: false,
      input: null,
      flags: [],
      content: null,
      storeMessages: true,
      answerAgentId: null,
      plan: null,
      messages: [],
      members: [],
      errorCode: error.error,
      errorMessage: error.message,
      stopReason: null,
      inputTokens: job.usage.inputTokens,
      outputTokens: job.usage.outputTokens,
      failoverUsed: job.usage.failoverUsed,
      completedAt,
      usage: [],
      userId: job.userId,
      tag: job.tag,
      events: [{ seqFrom: seq, seq, event: 'RunError', data, cuts: null }],
    })
    await signals.publish({ kind: 'run_events', runId: job.runId })
    return { kind: 'ended' }
  }
}
