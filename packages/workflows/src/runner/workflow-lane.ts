import type { WorkflowRunId } from '@troupe/contract'
import type { Turn, TurnLane } from '@troupe/durable-work'
import type { ClaimedWorkflowRun, WorkflowRunStore } from '../ports/workflow-store.ts'
import type { WorkflowDependencies } from '../slice/dependencies.ts'
import { RunSlice, type SliceEnd } from '../slice/run-slice.ts'
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
    if (!graph) return { runId, controller, work: () => this.#endWithoutGraph(run), endTurn() {} }
    const slice = new RunSlice(this.#deps, run, graph, controller)
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

  async #endWithoutGraph({ fence, organizationId, waiter }: ClaimedWorkflowRun): Promise<SliceEnd> {
    const end = {
      status: 'failed' as const,
      output: null,
      error: 'The version of this run no longer exists.',
    }
    const rows = { variables: null, nodeRuns: [], iterations: [] }
    await this.store.commit({ fence, organizationId, waiter, to: end, ...rows })
    this.ends.tell(fence.runId)
    return { kind: 'ended', ...end }
  }
}
