import type { WorkflowRunId } from '@troupe/contract'
import { BEGUN_ELSEWHERE, StepUnreadable, type Turn, type TurnLane } from '@troupe/durable-work'
import type { CompiledGraph } from '@troupe/graph'
import type { WorkflowDependencies } from '../execution/dependencies.ts'
import { RunSlice, type SliceEnd } from '../execution/run-slice.ts'
import type { ClaimedWorkflowRun, WorkflowRunStore } from '../ports/workflow-store.ts'
import { EndWaiter } from './end-waiter.ts'

/** The lane of workflow runs. All state is in the rows: a turn reads them and continues from there. */
export class WorkflowLane implements TurnLane<WorkflowRunId, ClaimedWorkflowRun, SliceEnd> {
  readonly lane = 'workflows'
  readonly store: WorkflowRunStore
  /** Called for every run that ends in this process. */
  readonly ends: EndWaiter
  readonly #deps: WorkflowDependencies

  constructor(deps: WorkflowDependencies) {
    this.#deps = deps
    this.store = deps.store
    this.ends = new EndWaiter(deps)
  }

  async begin(run: ClaimedWorkflowRun): Promise<Turn<WorkflowRunId, SliceEnd>> {
    const { runId } = run.fence
    const controller = new AbortController()
    const graph = await this.#deps.graph(run.organizationId, run.versionId)
    const failed = (error: string) => ({
      runId,
      controller,
      work: () => this.#fail(run, error),
      endTurn() {},
    })
    if (!graph) return failed('The version of this run no longer exists.')
    const slice = this.#sliceOf(run, graph, controller)
    if (!slice) return failed(BEGUN_ELSEWHERE)
    return { runId, controller, work: () => this.#work(slice, runId), endTurn: () => slice.endTurn() }
  }

  async #work(slice: RunSlice, runId: WorkflowRunId): Promise<SliceEnd> {
    const working = slice.work()
    const unsubscribe = this.#deps.signals.subscribe((signal) => {
      if (signal.kind === 'review_decided' && signal.runId === runId) slice.reviewDecided()
    })
    const end = await working.finally(unsubscribe)
    if (end.kind === 'ended') this.ends.tell(runId)
    return end
  }

  /** null: the rows of the run are in a shape that this program does not read. */
  #sliceOf(run: ClaimedWorkflowRun, graph: CompiledGraph, controller: AbortController): RunSlice | null {
    try {
      return new RunSlice(this.#deps, run, graph, controller)
    } catch (error) {
      if (!(error instanceof StepUnreadable)) throw error
      this.#deps.telemetry.backgroundFailed('resume a workflow run', error)
      return null
    }
  }

  async #fail({ fence, organizationId, waiter }: ClaimedWorkflowRun, error: string): Promise<SliceEnd> {
    const end = { status: 'failed' as const, output: null, error }
    const rows = { variables: null, nodeRuns: [], iterations: [] }
    await this.store.commit({ fence, organizationId, waiter, to: end, ...rows })
    this.ends.tell(fence.runId)
    return { kind: 'ended', ...end }
  }
}
