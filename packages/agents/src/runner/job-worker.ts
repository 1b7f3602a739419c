import type { RunId } from '@troupe/contract'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { Delivery } from '../ports/run-engine.ts'
import { LEASE_SECONDS } from '../run/active-runs.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import { RunAborted } from '../run/interruption.ts'
import type { RunOutcome } from '../run/run-outcome.ts'
import { endRun, persistently } from './end-run.ts'
import { sendDelivery } from './job-dispatch.ts'
import { abandonedMessages, prepareTurn, type TurnInput } from './job-turn.ts'
import { LiveRun } from './live-run.ts'

/** How long one turn of a job lasts before it makes room at its next step, in milliseconds. */
const TURN_MS = 60_000

/** How a turn ended; a number is the slice in which another turn goes on. */
type TurnEnd = 'ended' | 'lost' | number

/**
 * Advances jobs, one slice at a time. A job is its rows: the claim decides who works on it, every finished step is
 * committed under the claim's fence, and a worker that has lost the job can write nothing.
 */
export class JobWorker {
  readonly #deps: RunDependencies
  readonly #turnMs: number

  constructor(deps: RunDependencies, turnMs: number = TURN_MS) {
    this.#deps = deps
    this.#turnMs = turnMs
  }

  /** Takes a delivery: claims the job and works until it ends or its turn is over. A stale delivery does nothing. */
  async advance({ runId, slice }: Delivery): Promise<void> {
    const { jobs, workerId, active } = this.#deps
    if (active.draining) throw new Error('this process is stopping; another one takes the delivery')
    const job = await jobs.claim({ runId, slice }, workerId, LEASE_SECONDS)
    if (!job) return
    const run = await this.#begin(job)
    if (!run) return
    const next = await this.#work(run, job, this.#turnMs)
    if (typeof next === 'number') await sendDelivery(this.#deps, { lane: 'jobs', runId, slice: next })
  }

  /**
   * Works on the run of a workflow's node, which no engine delivers, until it ends or this process gives it back. When
   * `signal` fires the run is cancelled, or given back when the process stops.
   */
  async workOn(
    job: ClaimedJob,
    signal: AbortSignal,
    { toolContext, output }: TurnInput,
  ): Promise<'ended' | 'given_back' | 'lost'> {
    const run = await this.#begin(job, { toolContext, output })
    if (!run) return 'ended'
    const onAbort = () => run.abort(signal.reason instanceof RunAborted ? signal.reason.reason : 'cancel')
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    try {
      const end = await this.#work(run, job, null)
      return typeof end === 'number' ? 'given_back' : end
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #begin(job: ClaimedJob, given?: TurnInput): Promise<LiveRun | null> {
    const { store } = this.#deps
    const prepared = await prepareTurn(this.#deps, job, given)
    if (!prepared) {
      await this.#endWithoutSubject(job)
      return null
    }
    const log = job.lastSeq > 0 ? await store.eventsAfter(job.runId, 0) : []
    const run: LiveRun = new LiveRun(this.#deps, prepared, null, {
      job,
      log,
      commit: (key, output) => this.#commit(run, key, output),
    })
    run.announceTurn(job, abandonedMessages(log, job.steps))
    return run
  }

  async #work(run: LiveRun, job: ClaimedJob, turnMs: number | null): Promise<TurnEnd> {
    const { active } = this.#deps
    const { journal } = run.context
    const turn = turnMs === null ? undefined : setTimeout(() => journal.end(), turnMs)
    run.startDeadline()
    const ended = run
      .work()
      .then(async (outcome) => {
        await journal.settled()
        return this.#endTurn(run, job, outcome)
      })
      .catch((error): TurnEnd => {
        this.#deps.telemetry.turnEnded(run.observed())
        this.#deps.telemetry.backgroundFailed('end of a turn', error)
        return 'lost'
      })
    active.add(job.runId, run.controller, ended, () => journal.end())
    // A drain that began between the claim and this line has not seen the run.
    if (active.draining) journal.end()
    const end = await ended
    clearTimeout(turn)
    run.clearDeadline()
    return end
  }

  async #endTurn(run: LiveRun, job: ClaimedJob, outcome: RunOutcome): Promise<TurnEnd> {
    if (outcome.kind === 'aborted' && outcome.reason === 'lost') {
      this.#deps.telemetry.turnEnded(run.observed())
      return 'lost'
    }
    const stopped = outcome.kind === 'aborted' && outcome.reason === 'shutdown'
    if (outcome.kind === 'slice_ended' || stopped) return this.#yield(run, job)
    await endRun(this.#deps, run, outcome)
    return 'ended'
  }

  async #yield(run: LiveRun, { runId, fence }: ClaimedJob): Promise<TurnEnd> {
    await run.context.events?.flush()
    const slice = await persistently(this.#deps, 'yield', () => this.#deps.jobs.yield(runId, fence))
    if (slice === null && (await this.#whyStopped(runId)) === 'cancel') {
      await endRun(this.#deps, run, { kind: 'aborted', reason: 'cancel' })
      return 'ended'
    }
    this.#deps.telemetry.turnEnded(run.observed())
    return slice ?? 'lost'
  }

  /**
   * Stores a finished step with its ledger rows, ended members and events. When the job belongs to another worker by now,
   * or was cancelled, the run is aborted; when the database does not answer, the job is left to whoever takes it over.
   */
  async #commit(run: LiveRun, key: string, output: unknown): Promise<void> {
    const { runId, ledger, members, events } = run.context
    const fence = run.fence
    if (!fence || !events) throw new Error('only jobs commit steps')
    const usage = ledger.take()
    // A member's row comes with its own step: a step that is lost is done again, and its row must be that of the second time.
    const ended = members.unwritten().filter(({ stepKey }) => stepKey === key)
    try {
      await events.commitWith(async (rows) => {
        const held = await persistently(this.#deps, 'commit step', () =>
          this.#deps.jobs.commitStep({ runId, fence, key, output, usage, members: ended, events: rows }),
        )
        // Thrown in here, so that the rows stay pending: a cancelled run still owes them.
        if (!held) throw new RunAborted(await this.#whyStopped(runId))
      })
      members.markWritten(ended)
    } catch (error) {
      ledger.giveBack(usage)
      if (!(error instanceof RunAborted)) this.#deps.telemetry.backgroundFailed('commit step', error)
      run.abort(error instanceof RunAborted ? error.reason : 'lost')
      throw run.controller.signal.reason
    }
  }

  /** Whether the fence is gone because the job has ended, which this process may learn here first. */
  async #whyStopped(runId: RunId): Promise<'cancel' | 'lost'> {
    const { store, workerId } = this.#deps
    const [stopped] = await store.ended(workerId, [runId])
    return stopped?.reason ?? 'lost'
  }

  async #endWithoutSubject(job: ClaimedJob): Promise<void> {
    const { store, signals, now } = this.#deps
    const completedAt = now()
    const error = {
      error: 'upstream_error',
      message: `The ${job.kind} of this job does not exist any more.`,
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
  }
}
