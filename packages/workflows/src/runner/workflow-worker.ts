import { LEASE_SECONDS } from '@troupe/agents'
import type { Delivery } from '@troupe/agents/ports'
import type { RunId, WorkflowRunId } from '@troupe/contract'
import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'
import type { WorkflowDependencies } from '../slice/dependencies.ts'
import { RunSlice, type SliceEnd } from '../slice/run-slice.ts'
import { sendWorkflowDelivery } from './dispatch.ts'
import { EndWaiter } from './end-waiter.ts'

/** Advances runs of workflows, one slice at a time. The claim decides who works on a run; its rows are all there is. */
export class WorkflowWorker {
  /** Hears of every run that ends here. */
  readonly ends: EndWaiter
  readonly #deps: WorkflowDependencies

  constructor(deps: WorkflowDependencies) {
    this.#deps = deps
    this.ends = new EndWaiter(deps)
  }

  /** Takes a delivery: claims the run and works until it ends, waits or its turn is over. A stale one does nothing. */
  async advance({ runId, slice }: Delivery): Promise<void> {
    const { store, workerId, active } = this.#deps
    if (active.draining) throw new Error('this process is stopping; another one takes the delivery')
    const run = await store.claim({ runId, slice }, workerId, LEASE_SECONDS)
    // Given on, not kept: what earlier turns have stored may be large, and is read once.
    return run ? this.work(run).then(() => {}) : undefined
  }

  /** Works on a run that this process has. Rejects when the database fails; then the lease runs out. */
  async work(run: ClaimedWorkflowRun): Promise<SliceEnd> {
    const graph = await this.#deps.graph(run.organizationId, run.versionId)
    if (!graph) return this.#endWithoutGraph(run)
    const controller = new AbortController()
    return this.#finish(new RunSlice(this.#deps, run, graph, controller), run.fence.runId, controller)
  }

  async #finish(slice: RunSlice, runId: WorkflowRunId, controller: AbortController): Promise<SliceEnd> {
    const { active, telemetry } = this.#deps
    const working = slice.work()
    const settled = working.then(
      () => {},
      (error) => telemetry.backgroundFailed('workflow slice', error),
    )
    active.add(runId as string as RunId, controller, settled, () => slice.endTurn())
    if (active.draining) slice.endTurn()
    const unsubscribe = this.#deps.signals.subscribe((signal) => {
      if (signal.kind === 'review_decided' && signal.runId === runId) slice.reviewDecided()
    })
    const end = await working.finally(unsubscribe)
    if (end.kind === 'ended') this.ends.tell(runId)
    if (end.kind === 'yielded') {
      const next = { lane: 'workflows' as const, runId, slice: end.slice }
      active.background(sendWorkflowDelivery(this.#deps, next, end.dueAt))
    }
    return end
  }

  async #endWithoutGraph({ fence, organizationId, waiter }: ClaimedWorkflowRun): Promise<SliceEnd> {
    const end = {
      status: 'failed' as const,
      output: null,
      error: 'The version of this run does not exist any more.',
    }
    const rows = { variables: null, nodeRuns: [], iterations: [] }
    await this.#deps.store.commit({ fence, organizationId, waiter, to: end, ...rows })
    this.ends.tell(fence.runId)
    return { kind: 'ended', ...end }
  }
}
