import { RunAborted } from '@troupe/durable-work'
import { type Activation, planRun, type RunState } from '@troupe/graph'
import type { ExecutedNode } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun, CommitOutcome, WorkflowCommit } from '../ports/workflow-store.ts'
import { commitBuffer, settleBuffer } from './commit-buffer.ts'
import type { NodeRuntime, WorkflowRows } from './dependencies.ts'
import { EffectsUnderWay } from './effects-under-way.ts'
import { executePure, TOO_MUCH_COMPUTING } from './execute-pure.ts'
import { LiveWorkflowRun } from './live-workflow-run.ts'
import { isHeavy } from './loop-shares.ts'
import { identityOf, type RunIdentity } from './run-identity.ts'
import { sleepUnlessAborted } from './sleep-unless-aborted.ts'
import { waitingReason } from './status-reason.ts'

/** When a turn yields to other runs. */
const TURN_MS = 60_000
const TURN_EFFECTS = 200
/** Milliseconds for which pure nodes may run before control returns to the event loop. */
const BREATH_MS = 5
/** Milliseconds to wait for the answers of aborted effects. */
const CLOSE_MS = 5_000

/** The dependencies of a slice: rows and the execution of nodes. */
type SliceParts = WorkflowRows & NodeRuntime

/** The end of a slice: the run ended or waits, the row was released, or another worker holds it. */
export type SliceEnd =
  | {
      kind: 'ended'
      status: 'completed' | 'failed' | 'loop_limit_reached'
      output: unknown
      error: string | null
    }
  | { kind: 'suspended' }
  /** `dueAt`: when the next turn begins, in milliseconds since the epoch. */
  | { kind: 'yielded'; slice: number; dueAt: number }
  | { kind: 'lost' }

/**
 * One turn of one run. Pure nodes are computed in memory and committed with the next effect or the end; an
 * effect's row says `running` before it starts. Commits run one at a time, and a result has no consequences
 * before it is committed.
 *
 * Only this worker writes, while its fence holds. A commit that finds another fence or a terminal status has
 * written nothing, and the slice stops. A pause or a decision on a review is serialized with commits by the
 * row's lock.
 */
export class RunSlice {
  readonly #deps: SliceParts
  readonly #run: RunIdentity
  readonly #controller: AbortController
  readonly #effects: EffectsUnderWay
  readonly #startedAt: number
  #live: LiveWorkflowRun
  /** Milliseconds that heavy pure nodes of this turn have computed. */
  #computed = 0
  #isPaused = false
  #isEnding = false
  /** Whether a review or an approval that this run waits for may have been decided. */
  #mayBeAnswered: boolean

  constructor(
    deps: SliceParts,
    run: ClaimedWorkflowRun,
    graph: RunState['graph'],
    controller: AbortController,
  ) {
    this.#deps = deps
    this.#run = identityOf(run)
    this.#controller = controller
    this.#effects = new EffectsUnderWay(deps, this.#run, controller.signal)
    this.#startedAt = deps.now()
    this.#live = new LiveWorkflowRun(deps, run, graph)
    this.#mayBeAnswered = this.#live.state.waiting > 0
    controller.signal.addEventListener('abort', () => this.#effects.wake())
  }

  /** Requests that the slice release the run once no effect is running. */
  endTurn(): void {
    this.#isEnding = true
    this.#effects.wake()
  }

  /** A review of the run, or an approval of a run of its nodes, was decided, or its deadline has passed. */
  reviewDecided(): void {
    this.#mayBeAnswered = true
    this.#effects.wake()
  }

  /** Works until the run ends or must wait. Rejects only when the database fails. */
  async work(): Promise<SliceEnd> {
    for (;;) {
      const end = await this.#step()
      if (end) return end
    }
  }

  /** Does all current work, then waits for an answer. null: the turn continues. */
  async #step(): Promise<SliceEnd | null> {
    if (this.#mayBeAnswered) await this.#takeReviews()
    const early = await this.#computePure()
    if (early) return early
    if (planRun(this.#live.state).abort) await this.#close()
    const { status, output, error } = planRun(this.#live.state)
    if (status === 'completed' || status === 'failed' || status === 'loop_limit_reached') {
      return this.#finish({ status, output, error })
    }
    const turnIsOver = this.#turnIsOver()
    if (!this.#isPaused && !turnIsOver) {
      const started = await this.#startEffects()
      if (started === 'stop') return { kind: 'lost' }
      if (started === 'again') return null
    }
    if (this.#effects.count === 0) return this.#letGo(turnIsOver)
    // Commits finished nodes and opens reviews while other effects still run.
    if (this.#live.buffer.size > 0) {
      const outcome = await this.#commit({ status: 'running' })
      if (outcome.kind === 'lost') return this.#stopped(outcome)
    }
    return this.#takeAnswers()
  }

  #turnIsOver(): boolean {
    const hasLasted = this.#deps.now() - this.#startedAt > TURN_MS
    return this.#isEnding || this.#effects.started >= TURN_EFFECTS || hasLasted
  }

  /** Waits while the organization's heavy nodes have used up their share of the event loop. */
  async #rest(): Promise<void> {
    const { signal } = this.#controller
    for (;;) {
      // Of several runs that wake up together, the first may compute long again.
      const restMs = this.#deps.shares.restMs(this.#run.organizationId)
      if (restMs === 0 || !(await sleepUnlessAborted(restMs, signal))) return
    }
  }

  /** Executes a pure node, and accounts its time. */
  #compute(place: Activation): ExecutedNode {
    const { shares } = this.#deps
    if (this.#computed > shares.mostComputingMs) return TOO_MUCH_COMPUTING
    const { state } = this.#live
    const { signal } = this.#controller
    const [before, startedAt] = [process.threadCpuUsage(), performance.now()]
    const executed = executePure({ deps: this.#deps, run: this.#run, state, signal }, place)
    const { user, system } = process.threadCpuUsage(before)
    const took = { cpuMs: (user + system) / 1000, wallMs: performance.now() - startedAt }
    if (isHeavy(took)) this.#computed += took.cpuMs
    shares.spent(this.#run.organizationId, took)
    return executed
  }

  /** Executes every ready pure node, and those that become ready as a result. */
  async #computePure(): Promise<SliceEnd | null> {
    const { state, buffer } = this.#live
    // Triggers completed at the start of the run; their rows come first.
    buffer.collect(state)
    const { signal } = this.#controller
    const { shares } = this.#deps
    const { organizationId } = this.#run
    let breath = this.#deps.now()
    while (!this.#isPaused) {
      const place = this.#live.nextPure()
      if (!place) break
      if (shares.restMs(organizationId) > 0) await this.#rest()
      if (signal.aborted) return this.#aborted()
      this.#live.apply(place, this.#compute(place))
      if (buffer.isDue) {
        const outcome = await this.#commit({ status: 'running' })
        if (outcome.kind === 'lost') return this.#stopped(outcome)
      }
      if (this.#deps.now() - breath > BREATH_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        breath = this.#deps.now()
      }
      if (signal.aborted) return this.#aborted()
    }
    return null
  }

  /** Commits the buffer with the rows of the effects that may start, then starts them. */
  async #startEffects(): Promise<'none' | 'again' | 'stop'> {
    const { state, buffer } = this.#live
    const places: Activation[] = []
    while (this.#effects.count + places.length < this.#deps.parallelNodes) {
      const place = this.#live.nextEffect()
      if (!place) break
      places.push(place)
      buffer.started(place)
    }
    if (places.length === 0) return 'none'
    const outcome = await this.#commit({ status: 'running' })
    if (outcome.kind === 'lost') {
      this.#stopped(outcome)
      return 'stop'
    }
    // A pause was committed first: none of the effects has started, and the resumed run finds them unchanged.
    if (outcome.kind === 'out_of_budget' || outcome.kind === 'paused') return 'none'
    for (const place of places) this.#effects.start(state, place, buffer.triesOf(place).retry)
    return outcome.kind === 'wake' ? 'again' : 'none'
  }

  /**
   * Read only after this worker's claim: a later decision is announced by a signal, and by the commit that
   * would release the run.
   */
  async #takeReviews(): Promise<void> {
    this.#mayBeAnswered = false
    this.#live.takeReviews(await this.#deps.reviews.answers(this.#run.fence.runId))
    const { waitingRuns } = this.#live
    if (waitingRuns.length === 0) return
    this.#live.continueRuns(await this.#deps.approvals.decided(waitingRuns))
  }

  /** Waits for an answer, or until an effect may be retried. */
  async #takeAnswers(): Promise<SliceEnd | null> {
    const { signal } = this.#controller
    const mayStart = this.#effects.count < this.#deps.parallelNodes && !this.#isPaused && !this.#turnIsOver()
    const isDue = () => this.#mayBeAnswered || signal.aborted
    await this.#effects.answered(mayStart ? this.#live.late.firstAt : null, isDue)
    if (signal.aborted) return this.#aborted()
    for (const answer of this.#effects.takeAnswers()) {
      if (!this.#live.takeAnswer(answer)) this.#isEnding = true
      // A decision may have been made before the node was seen to wait.
      if (answer.end.kind === 'waits') this.#mayBeAnswered = true
    }
    return null
  }

  /**
   * Aborts the running effects after a failure or a ceiling, and waits up to `CLOSE_MS` for their answers.
   */
  async #close(): Promise<void> {
    if (this.#effects.count > 0) this.#controller.abort(new RunAborted('cancel'))
    this.#live.close(await this.#effects.lastAnswers(CLOSE_MS))
  }

  /** Ends the run. null: the run continues after all. */
  async #finish(end: Extract<WorkflowCommit['to'], { output: unknown }>): Promise<SliceEnd | null> {
    const outcome = await this.#commit(end)
    switch (outcome.kind) {
      case 'lost':
        return this.#stopped(outcome)
      case 'wake':
        return this.#readAgain()
      case 'paused':
        return this.#letGo(false)
      default:
        return { kind: 'ended', ...end }
    }
  }

  /**
   * Releases a run without running effects: it waits for reviewers or a later retry, yields, or stays paused.
   * null: the run continues after all.
   */
  async #letGo(turnIsOver: boolean): Promise<SliceEnd | null> {
    const { state, late } = this.#live
    const { status, start } = planRun(state)
    if (status === 'awaiting_approval' && !this.#isPaused) {
      const to = { status: 'awaiting_approval' as const, statusReason: waitingReason(state) }
      const outcome = await this.#commit(to)
      if (outcome.kind === 'lost') return this.#stopped(outcome)
      return outcome.kind === 'wake' ? this.#readAgain() : { kind: 'suspended' }
    }
    const { firstAt } = late
    if (!turnIsOver && !this.#isPaused && firstAt === null) {
      throw new Error('a run has nothing to do and has not ended')
    }
    const dueAt = start.length === 0 && firstAt !== null ? firstAt : this.#deps.now()
    const outcome = await this.#commit({ status: 'yielded', dueAt })
    if (outcome.kind === 'lost') return this.#stopped(outcome)
    if (outcome.kind !== 'committed' || outcome.status === 'paused') return { kind: 'suspended' }
    return { kind: 'yielded', slice: outcome.slice, dueAt }
  }

  /** A review was decided while this worker held the run, and no effect is running. */
  async #readAgain(): Promise<SliceEnd | null> {
    const run = await this.#deps.store.reload(this.#run.fence)
    if (!run) return { kind: 'lost' }
    this.#live = new LiveWorkflowRun(this.#deps, run, this.#live.state.graph)
    this.#mayBeAnswered ||= this.#live.state.waiting > 0
    this.#isPaused = false
    return null
  }

  async #commit(to: WorkflowCommit['to']): Promise<CommitOutcome> {
    const outcome = await commitBuffer(this.#deps, this.#run, this.#live, to)
    if (outcome.kind === 'paused' || outcome.kind === 'out_of_budget') this.#isPaused = true
    return outcome
  }

  /** Between two commits the run was cancelled, taken over, or released by a stopping process. */
  async #aborted(): Promise<SliceEnd> {
    const { reason } = this.#controller.signal
    const why = reason instanceof RunAborted ? reason.reason : 'lost'
    if (why === 'cancel') await settleBuffer(this.#deps, this.#run, this.#live)
    if (why === 'shutdown') {
      // Running effects keep their rows and are started again by the next worker.
      const dueAt = this.#deps.now()
      const outcome = await this.#commit({ status: 'yielded', dueAt })
      if (outcome.kind === 'committed') return { kind: 'yielded', slice: outcome.slice, dueAt }
    }
    return { kind: 'lost' }
  }

  #stopped(outcome: Extract<CommitOutcome, { kind: 'lost' }>): SliceEnd {
    this.#controller.abort(new RunAborted(outcome.status === 'cancelled' ? 'cancel' : 'lost'))
    return { kind: 'lost' }
  }
}
