import type { WorkflowRunId } from '@troupe/contract'
import { ActiveTurns, type Delivery, sendDelivery, TurnWorker } from '@troupe/durable-work'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { NODE_HANDLERS } from '@troupe/nodes/handlers'
import { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import type { Database } from '@troupe/storage'
import {
  LoopShares,
  nodeServices,
  type WorkflowDependencies,
  WorkflowLane,
  WorkflowRunner,
} from '@troupe/workflows'
import type { ClaimedWorkflowRun, RunReviews } from '@troupe/workflows/ports'
import type { Config } from '../config/config.ts'
import type { Runs } from './create-runs.ts'

/** Dependencies of workflows. */
export interface WorkflowParts {
  database: Database
  /** The runtime of agent and team runs, shared with workflows. */
  runs: Runs
  reviews: RunReviews
  config: Config['workflows']
  /** Whether this process executes runs itself, so that a waiting caller's run needs no engine. */
  executesInline: boolean
}

/** Runs workflows in this process. Disposing releases the runs that have not ended. */
export interface Workflows extends AsyncDisposable {
  runner: WorkflowRunner
  worker: TurnWorker<WorkflowRunId, ClaimedWorkflowRun>
  active: ActiveTurns<WorkflowRunId>
  /** Dependencies of workflow runs. */
  deps: WorkflowDependencies
  graphs: WorkflowGraphs
  /** Passes a delivery to the engine. Never throws: a failed delivery stays due in its row. */
  deliver(delivery: Delivery): Promise<void>
  /** The same in the background, after the response. */
  send(delivery: Delivery): void
}

/** Wires the runtime's workflow machinery to this process. */
export function createWorkflows(given: WorkflowParts): Workflows {
  const { database, runs, reviews, config, executesInline } = given
  const { deps, children } = runs
  const store = database.workflowRuns
  const graphs = new WorkflowGraphs(
    (organizationId, versionId) => database.read.workflows.testedGraph(organizationId, versionId),
    NODE_TYPES,
  )
  const { engine, signals, telemetry, now, newId, workerId, syncSeconds } = deps
  const active = new ActiveTurns({
    ...{ store, signals, telemetry, workerId },
    cancelSignal: 'workflow_run_cancelled',
  })
  const parts: WorkflowDependencies = {
    store,
    engine,
    signals,
    telemetry,
    active,
    handlers: NODE_HANDLERS,
    reviews,
    approvals: database.approvals,
    graph: (organizationId, versionId) => graphs.compiled(organizationId, versionId),
    services: (run, place, signal) => nodeServices({ ...deps, children }, run, place, signal),
    now,
    newId,
    workerId,
    loopCeiling: config.loopCeiling,
    parallelNodes: config.parallelNodes,
    shares: new LoopShares(),
    syncSeconds,
    executesInline,
  }
  const lane = new WorkflowLane(parts)
  const worker = new TurnWorker(lane, parts)
  const deliver = async (delivery: Delivery) => {
    await sendDelivery(parts, delivery)
  }
  return {
    runner: new WorkflowRunner(parts, worker, lane.ends),
    worker,
    active,
    deps: parts,
    graphs,
    deliver,
    send: (delivery) => active.background(deliver(delivery)),
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  }
}
