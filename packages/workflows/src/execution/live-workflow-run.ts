import type { RunId } from '@troupe/contract'
import {
  type Activation,
  applyResult,
  closeRun,
  continueWaiting,
  type FlowNode,
  type RunState,
  replayGraphRun,
  startGraphRun,
  takeReady,
} from '@troupe/graph'
import type { ExecutedNode } from '../ports/node-handler.ts'
import type { ReviewAnswer, ReviewRequest } from '../ports/review-store.ts'
import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'
import { traceSecretsOf } from '../trace/trace-secrets.ts'
import type { NodeRuntime } from './dependencies.ts'
import type { EndedEffect } from './effects-under-way.ts'
import { LateRetries } from './late-retries.ts'
import { resultOfAnswer } from './reviews-of-run.ts'
import { RunBuffer } from './run-buffer.ts'
import { recordOf } from './run-record.ts'
import { runStartOf } from './run-start.ts'

/** A run in memory: the state of its graph, its uncommitted rows, and its late retries. */
export class LiveWorkflowRun {
  readonly state: RunState
  readonly buffer: RunBuffer
  readonly late = new LateRetries()
  readonly #deps: NodeRuntime

  /**
   * Starts in the state that the run's rows record.
   *
   * @throws StepUnreadable when another version of the program has written them
   */
  constructor(deps: NodeRuntime, run: ClaimedWorkflowRun, graph: RunState['graph']) {
    this.#deps = deps
    const options = { ceiling: deps.loopCeiling, test: run.test }
    const start = runStartOf(run)
    const isFresh = run.nodeRuns.length === 0
    this.buffer = new RunBuffer(run, deps.now, traceSecretsOf(graph, run.input, run.test?.secretNames))
    this.state = isFresh
      ? startGraphRun(graph, start, options)
      : replayGraphRun(graph, start, recordOf(run, graph), options)
  }

  /** A ready pure node; null if there is none. */
  nextPure(): Activation | null {
    return takeReady(this.state, (node) => this.#isPure(node))
  }

  /** An effect that may start now; null if there is none. Effects with a later retry are set aside. */
  nextEffect(): Activation | null {
    const now = this.#deps.now()
    for (;;) {
      const place = this.late.takeDue(now) ?? takeReady(this.state, (node) => !this.#isPure(node))
      if (!place) return null
      const { retryAt } = this.buffer.triesOf(place)
      if (retryAt === null || retryAt <= now) return place
      this.late.keep(place, retryAt)
    }
  }

  #isPure({ type }: FlowNode): boolean {
    return this.#deps.handlers.get(type)?.kind === 'pure'
  }

  /** Passes a node's result to the graph. */
  apply(place: Activation, executed: ExecutedNode): void {
    const { result } = executed
    this.buffer.executed(place, executed)
    if (result.status === 'waiting') this.buffer.asked(place, executed.input as ReviewRequest)
    if (result.status === 'repeat') this.buffer.opened(place, result.range)
    applyResult(this.state, place, result)
    this.buffer.collect(this.state)
  }

  /** @returns false when the run, and with it the effect, must continue in another turn */
  takeAnswer({ place, end }: EndedEffect): boolean {
    switch (end.kind) {
      case 'executed':
        this.apply(place, end.executed)
        break
      case 'failed':
        this.buffer.executed(place, end.trace)
        applyResult(this.state, place, { status: 'failed', message: end.message })
        break
      case 'postponed': {
        const at = this.#deps.now() + end.waitMs
        this.buffer.executed(place, end.trace)
        this.buffer.postponed(place, end.retry, at)
        this.late.keep(place, at)
        break
      }
      case 'waits':
        this.buffer.executed(place, end.trace)
        this.buffer.waits(place, end.retry)
        applyResult(this.state, place, { status: 'waiting' })
        break
      case 'aborted':
        applyResult(this.state, place, { status: 'aborted' })
        break
      case 'interrupted':
        return false
      default:
        end satisfies never
    }
    this.buffer.collect(this.state)
    return true
  }

  /** Applies reviewers' decisions; decisions for nodes that no longer wait are skipped. */
  takeReviews(answers: readonly ReviewAnswer[]): void {
    for (const answer of answers) {
      const result = resultOfAnswer(this.#deps, this.state, answer)
      if (result) applyResult(this.state, answer, result)
    }
    this.buffer.collect(this.state)
  }

  /** The runs of agents and teams that nodes wait for. */
  get waitingRuns(): RunId[] {
    return this.#waitingNodes().flatMap((place) => this.buffer.waitingRunOf(place) ?? [])
  }

  /** Continues the nodes whose runs no longer wait. */
  continueRuns(runIds: ReadonlySet<RunId>): void {
    for (const place of this.#waitingNodes()) {
      const runId = this.buffer.waitingRunOf(place)
      if (runId === null || !runIds.has(runId)) continue
      this.buffer.goesOn(place)
      continueWaiting(this.state, place)
    }
    this.buffer.collect(this.state)
  }

  #waitingNodes(): { path: string; nodeId: string }[] {
    return [...this.state.frames.values()].flatMap(({ path, level, status }) =>
      level.nodes.filter(({ slot }) => status[slot] === 'waiting').map(({ id }) => ({ path, nodeId: id })),
    )
  }

  /** Ends a closing run with the answers that still arrived. No retry is started and no node continues. */
  close(answers: readonly EndedEffect[]): void {
    for (const place of this.late.takeAll()) applyResult(this.state, place, { status: 'aborted' })
    for (const { place, end } of answers) {
      const isVerdict = end.kind === 'executed' || end.kind === 'failed'
      this.takeAnswer({ place, end: isVerdict ? end : { kind: 'aborted' } })
    }
    closeRun(this.state)
    this.buffer.collect(this.state)
  }
}
