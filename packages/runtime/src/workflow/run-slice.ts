import {
  type Activation,
  applyResult,
  closeRun,
  type FlowNode,
  jsonBytes,
  MAX_RUN_BYTES,
  type NodeResult,
  outputFault,
  planRun,
  type RunState,
  resumeRun,
  scopeAt,
  startRun,
  takeReady,
} from '@troupe/graph'
import { type ExecutedNode, NodeFailure } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun, CommitOutcome, WorkflowCommit } from '../ports/workflow-store.ts'
import { RunAborted } from '../run/interruption.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import { LateRetries } from './late-retries.ts'
import { resultOfAnswer, reviewsToOpen } from './reviews-of-run.ts'
import { RunBuffer } from './run-buffer.ts'
import { type EffectEnd, NO_TRACE, runEffect } from './run-effect.ts'
import { recordOf } from './run-record.ts'
import { runStartOf } from './run-start.ts'
import { waitingReason } from './status-reason.ts'
import { traceSecretsOf } from './trace/trace-secrets.ts'

/** When a turn makes room for other runs. */
const TURN_MS = 60_000
const TURN_EFFECTS = 200
/** How long pure nodes may run before the event loop gets a turn, and before what they did is committed. */
const BREATH_MS = 5
const FLUSH_MS = 250
const FLUSH_ROWS = 5_000
/** How long aborted effects may take to answer. */
const CLOSE_MS = 5_000

/** How a slice ended: by the end of the run, by giving it back, or because somebody else has it now. */
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

interface Answer {
  place: Activation
  end: EffectEnd
}

/**
 * One turn of one run. Pure nodes are computed in memory and committed with the next effect or the end; an effect's row
 * says `running` before it starts. One commit at a time, and nothing follows from a result before it is committed.
 *
 * Who writes: this worker, while its fence holds. A commit that finds another fence or a terminal status has written
 * nothing, and the slice stops. A pause or a decision about a review meets the commit at the row's lock.
 */
export class RunSlice {
  readonly #deps: WorkflowDependencies
  readonly #run: ClaimedWorkflowRun
  readonly #buffer: RunBuffer
  readonly #controller: AbortController
  readonly #startedAt: number
  #state: RunState
  readonly #answers: Answer[] = []
  readonly #late = new LateRetries()
  #wake: () => void = () => {}
  #underWay = 0
  #effects = 0
  #storedBytes: number
  #flushedAt: number
  #isPaused = false
  #isEnding = false
  /** Whether people may have answered what this run waits for. */
  #mayBeAnswered: boolean
  /** Goes on in place of this one once the run was read again. */
  #successor: RunSlice | null = null

  constructor(
    deps: WorkflowDependencies,
    run: ClaimedWorkflowRun,
    graph: RunState['graph'],
    controller: AbortController,
  ) {
    this.#deps = deps
    this.#run = run
    this.#controller = controller
    this.#startedAt = deps.now()
    this.#flushedAt = this.#startedAt
    this.#buffer = new RunBuffer(run, deps.now, traceSecretsOf(graph, run.input))
    const options = { ceiling: deps.loopCeiling }
    const isFresh = run.nodeRuns.length === 0
    const start = runStartOf(run)
    this.#state = isFresh ? startRun(graph, start, options) : resumeRun(graph, start, recordOf(run), options)
    this.#mayBeAnswered = run.nodeRuns.some(({ status }) => status === 'waiting')
    this.#storedBytes = run.nodeRuns.reduce((sum, row) => sum + jsonBytes(row.output), 0)
    controller.signal.addEventListener('abort', () => this.#wake())
  }

  /** Asks the slice to give the run back as soon as nothing of it is under way. */
  endTurn(): void {
    this.#successor?.endTurn()
    this.#isEnding = true
    this.#wake()
  }

  /** A review of the run was decided, or its deadline has passed. */
  reviewDecided(): void {
    this.#successor?.reviewDecided()
    this.#mayBeAnswered = true
    this.#wake()
  }

  /** Works until the run ends or must wait. Rejects only when the database fails. */
  async work(): Promise<SliceEnd> {
    for (;;) {
      if (this.#mayBeAnswered) await this.#takeReviewAnswers()
      const early = await this.#computePure()
      if (early) return early
      const plan = planRun(this.#state)
      if (plan.abort) await this.#close()
      const now = planRun(this.#state)
      if (now.status === 'completed' || now.status === 'failed' || now.status === 'loop_limit_reached') {
        const { status, output, error } = now
        return this.#finish({ status, output, error })
      }
      const turnIsOver = this.#turnIsOver()
      if (!this.#isPaused && !turnIsOver) {
        const started = await this.#startEffects()
        if (started === 'stop') return { kind: 'lost' }
        if (started === 'again') continue
      }
      if (this.#underWay === 0) return this.#letGo(turnIsOver)
      // What has ended is safe, and a review is open, also while something else takes its time.
      if (this.#buffer.size > 0) {
        const outcome = await this.#commit({ status: 'running' })
        if (outcome.kind === 'lost') return this.#stopped(outcome)
      }
      await this.#nextAnswer()
      const stop = await this.#takeAnswers()
      if (stop) return stop
    }
  }

  #turnIsOver(): boolean {
    return this.#isEnding || this.#effects >= TURN_EFFECTS || this.#deps.now() - this.#startedAt > TURN_MS
  }

  /** Executes every ready pure node, and what becomes ready by it. */
  async #computePure(): Promise<SliceEnd | null> {
    // Triggers have completed with the start; their rows come first.
    this.#buffer.collect(this.#state)
    let breath = this.#deps.now()
    const isPure = (node: FlowNode) => this.#deps.handlers.get(node.type)?.kind === 'pure'
    while (!this.#isPaused) {
      const place = takeReady(this.#state, isPure)
      if (!place) break
      this.#apply(place, this.#executePure(place))
      const now = this.#deps.now()
      if (this.#buffer.size >= FLUSH_ROWS || now - this.#flushedAt > FLUSH_MS) {
        const outcome = await this.#commit({ status: 'running' })
        if (outcome.kind === 'lost') return this.#stopped(outcome)
      }
      if (now - breath > BREATH_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        breath = this.#deps.now()
      }
      if (this.#controller.signal.aborted) return this.#aborted()
    }
    this.#buffer.collect(this.#state)
    return null
  }

  #executePure(place: Activation): ExecutedNode {
    const node = this.#state.graph.nodes.get(place.nodeId)
    const handler = node && this.#deps.handlers.get(node.type)
    if (!node || handler?.kind !== 'pure') throw new RangeError(`no pure handler for node ${place.nodeId}`)
    const { fence, organizationId, projectId, workflowId } = this.#run
    const { signal } = this.#controller
    try {
      return handler.execute({
        node,
        path: place.path,
        iteration: place.iteration,
        scope: scopeAt(this.#state, place),
        run: { runId: fence.runId, organizationId, projectId, workflowId },
        signal,
        services: this.#deps.services(this.#run, place, signal),
      })
    } catch (error) {
      const isExpected = error instanceof NodeFailure
      if (!isExpected) this.#deps.telemetry.backgroundFailed('workflow node', error)
      const message = isExpected ? error.message : 'it failed unexpectedly'
      const trace = error instanceof NodeFailure ? error.trace : {}
      return { ...NO_TRACE, ...trace, result: { status: 'failed', message } }
    }
  }

  /** Hands a result to the graph, unless it is too large to be stored. */
  #apply(place: Activation, executed: ExecutedNode): void {
    const result = this.#withinLimits(executed.result)
    this.#buffer.executed(place, executed)
    if (result.status === 'repeat') this.#buffer.opened(place, result.range)
    applyResult(this.#state, place, result)
    this.#buffer.collect(this.#state)
  }

  #withinLimits(result: NodeResult): NodeResult {
    if (result.status !== 'completed') return result
    const fault = outputFault(result.output)
    if (fault !== null) return { status: 'failed', message: fault }
    this.#storedBytes += jsonBytes(result.output)
    if (this.#storedBytes <= MAX_RUN_BYTES) return result
    return {
      status: 'failed',
      message: 'the outputs of this run are more than the 50 MB that a run may store',
    }
  }

  /** Commits the buffer with the rows of the effects that may start, then starts them. */
  async #startEffects(): Promise<'none' | 'again' | 'stop'> {
    const places: Activation[] = []
    while (this.#underWay + places.length < this.#deps.parallelNodes) {
      const place = this.#nextEffect()
      if (!place) break
      places.push(place)
      this.#buffer.started(place)
    }
    this.#buffer.collect(this.#state)
    if (places.length === 0) return 'none'
    const outcome = await this.#commit({ status: 'running' })
    if (outcome.kind === 'lost') {
      this.#stopped(outcome)
      return 'stop'
    }
    // A pause was faster: none of them has started, and whoever resumes the run finds them as they were.
    if (outcome.kind === 'out_of_budget' || outcome.kind === 'paused') return 'none'
    for (const place of places) this.#start(place)
    return outcome.kind === 'wake' ? 'again' : 'none'
  }

  /** An effect that may start now; null when there is none. What is to be tried again later is put aside. */
  #nextEffect(): Activation | null {
    const now = this.#deps.now()
    const isEffect = (node: FlowNode) => this.#deps.handlers.get(node.type)?.kind !== 'pure'
    for (;;) {
      const place = this.#late.takeDue(now) ?? takeReady(this.#state, isEffect)
      if (!place) return null
      const { retryAt } = this.#buffer.triesOf(place)
      if (retryAt === null || retryAt <= now) return place
      this.#late.keep(place, retryAt)
    }
  }

  #start(place: Activation): void {
    const { nodes } = this.#state.graph
    const handler = this.#deps.handlers.get(nodes.get(place.nodeId)?.type ?? '')
    this.#underWay += 1
    this.#effects += 1
    const { signal } = this.#controller
    const effect = {
      deps: this.#deps,
      run: this.#run,
      state: this.#state,
      place,
      retry: this.#buffer.triesOf(place).retry,
      signal: AbortSignal.any([signal]),
    }
    const ended =
      handler?.kind === 'effect'
        ? runEffect({ ...effect, handler })
        : Promise.resolve<EffectEnd>({
            kind: 'failed',
            message: 'its type is not known to this version',
            trace: NO_TRACE,
          })
    void ended.then((end) => {
      this.#answers.push({ place, end })
      this.#wake()
    })
  }

  /** Waits for an answer, or until an effect may be tried again. */
  async #nextAnswer(): Promise<void> {
    const hasRoom = this.#underWay < this.#deps.parallelNodes
    const firstAt = hasRoom && !this.#isPaused && !this.#turnIsOver() ? this.#late.firstAt : null
    // Rounded up: at that moment its time has come.
    const waitMs = firstAt === null ? null : Math.max(0, Math.ceil(firstAt - this.#deps.now()))
    const timer = waitMs === null ? undefined : setTimeout(() => this.#wake(), waitMs)
    while (this.#answers.length === 0 && !this.#mayBeAnswered && !this.#controller.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      if (this.#isEnding || (firstAt !== null && firstAt <= this.#deps.now())) break
    }
    clearTimeout(timer)
    this.#wake = () => {}
  }

  /** Read when this worker has the run already: an answer that comes later is told by a signal, and by the commit that would let go of the run. */
  async #takeReviewAnswers(): Promise<void> {
    this.#mayBeAnswered = false
    for (const answer of await this.#deps.reviews.answers(this.#run.fence.runId)) {
      const result = resultOfAnswer(this.#deps, this.#state, answer)
      if (result) applyResult(this.#state, answer, this.#withinLimits(result))
    }
    this.#buffer.collect(this.#state)
  }

  async #takeAnswers(): Promise<SliceEnd | null> {
    if (this.#controller.signal.aborted) return this.#aborted()
    for (const { place, end } of this.#answers.splice(0)) {
      this.#underWay -= 1
      this.#takeAnswer(place, end)
    }
    this.#buffer.collect(this.#state)
    return null
  }

  #takeAnswer(place: Activation, end: EffectEnd): void {
    switch (end.kind) {
      case 'executed':
        this.#apply(place, end.executed)
        break
      case 'failed':
        this.#buffer.executed(place, end.trace)
        applyResult(this.#state, place, { status: 'failed', message: end.message })
        break
      case 'postponed': {
        const at = this.#deps.now() + end.waitMs
        this.#buffer.executed(place, end.trace)
        this.#buffer.postponed(place, end.retry, at)
        this.#late.keep(place, at)
        break
      }
      case 'aborted':
        applyResult(this.#state, place, { status: 'aborted' })
        break
      case 'interrupted':
        this.#isEnding = true
        break
      default:
        end satisfies never
    }
  }

  /** Aborts what still runs after a failure or a ceiling, and waits a little for its answers. */
  async #close(): Promise<void> {
    for (const place of this.#late.takeAll()) applyResult(this.#state, place, { status: 'aborted' })
    if (this.#underWay > 0) {
      const giveUpAt = this.#deps.now() + CLOSE_MS
      this.#controller.abort(new RunAborted('cancel'))
      while (this.#underWay > 0 && this.#deps.now() < giveUpAt) {
        if (this.#answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
        for (const { place, end } of this.#answers.splice(0)) {
          this.#underWay -= 1
          // Nothing is tried again or gone on with once the run is closing.
          const isVerdict = end.kind === 'executed' || end.kind === 'failed'
          this.#takeAnswer(place, isVerdict ? end : { kind: 'aborted' })
        }
      }
    }
    closeRun(this.#state)
    this.#buffer.collect(this.#state)
  }

  async #finish(end: Extract<WorkflowCommit['to'], { output: unknown }>): Promise<SliceEnd> {
    const outcome = await this.#commit(end)
    switch (outcome.kind) {
      case 'lost':
        return this.#stopped(outcome)
      case 'wake':
        return this.#again()
      case 'paused':
        return this.#letGo(false)
      default:
        return { kind: 'ended', ...end }
    }
  }

  /** Nothing is under way: waits for people or for a later try, makes room, or lets a paused run lie. */
  async #letGo(turnIsOver: boolean): Promise<SliceEnd> {
    const { status, start } = planRun(this.#state)
    if (status === 'awaiting_approval' && !this.#isPaused) {
      const to = { status: 'awaiting_approval' as const, statusReason: waitingReason(this.#state) }
      const outcome = await this.#commit(to)
      if (outcome.kind === 'lost') return this.#stopped(outcome)
      return outcome.kind === 'wake' ? this.#again() : { kind: 'suspended' }
    }
    const { firstAt } = this.#late
    if (!turnIsOver && !this.#isPaused && firstAt === null) {
      throw new Error('a run has nothing to do and has not ended')
    }
    const dueAt = start.length === 0 && firstAt !== null ? firstAt : this.#deps.now()
    const outcome = await this.#commit({ status: 'yielded', dueAt })
    if (outcome.kind === 'lost') return this.#stopped(outcome)
    if (outcome.kind !== 'committed' || outcome.status === 'paused') return { kind: 'suspended' }
    return { kind: 'yielded', slice: outcome.slice, dueAt }
  }

  /** A review was answered while this worker had the run: it is read again. */
  async #again(): Promise<SliceEnd> {
    const run = await this.#deps.store.reload(this.#run.fence)
    if (!run) return { kind: 'lost' }
    this.#successor = new RunSlice(this.#deps, run, this.#state.graph, this.#controller)
    if (this.#isEnding) this.#successor.endTurn()
    return this.#successor.work()
  }

  async #commit(to: WorkflowCommit['to']): Promise<CommitOutcome> {
    this.#buffer.collect(this.#state)
    const { fence, organizationId } = this.#run
    const rows = this.#buffer.take(this.#state)
    const reviews = reviewsToOpen(this.#deps, rows.nodeRuns)
    const outcome = await this.#deps.store.commit({ fence, organizationId, to, ...rows, reviews })
    if (reviews.length > 0 && outcome.kind !== 'lost') this.#deps.reviews.opened()
    this.#flushedAt = this.#deps.now()
    if (outcome.kind === 'paused' || outcome.kind === 'out_of_budget') this.#isPaused = true
    // A cancel was faster than its signal: what was done until then belongs to the trace all the same.
    if (outcome.kind === 'lost' && outcome.status === 'cancelled') {
      await this.#deps.store.settleCancelled(fence, rows.nodeRuns)
    }
    return outcome
  }

  /** The run was cancelled, taken over or given up by a stopping process between two commits. */
  async #aborted(): Promise<SliceEnd> {
    const { reason } = this.#controller.signal
    const why = reason instanceof RunAborted ? reason.reason : 'lost'
    this.#buffer.collect(this.#state)
    if (why === 'cancel') {
      const { nodeRuns } = this.#buffer.take(this.#state)
      await this.#deps.store.settleCancelled(this.#run.fence, nodeRuns)
    }
    if (why === 'shutdown') {
      // What was running keeps its row and is started again by whoever goes on.
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
