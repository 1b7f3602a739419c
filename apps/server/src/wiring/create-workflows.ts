import { ActiveRuns, type RunDependencies } from '@troupe/agents'
import type { Delivery } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { NODE_HANDLERS } from '@troupe/nodes/handlers'
import { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import {
  nodeServices,
  resumeRunsWithinBudget,
  sendWorkflowDelivery,
  sweepWorkflowRuns,
  type WorkflowDependencies,
  WorkflowRunner,
  WorkflowWorker,
} from '@troupe/workflows'
import type { RunReviews } from '@troupe/workflows/ports'
import type { Config } from '../config/config.ts'
import type { Runs } from './create-runs.ts'

/** What workflows are made of. */
export interface WorkflowParts {
  database: Database
  /** What runs of agents and teams use; workflows share it. */
  runs: Runs
  reviews: RunReviews
  config: Config['workflows']
  /** Whether this process executes runs itself, so that a waiting caller's run needs no engine. */
  executesInline: boolean
}

/** Running workflows in this process. Disposing gives back what still runs. */
export interface Workflows extends AsyncDisposable {
  runner: WorkflowRunner
  worker: WorkflowWorker
  active: ActiveRuns
  graphs: WorkflowGraphs
  /** Hands a delivery to the engine. Never throws: what fails stays due in the row. */
  deliver(delivery: Delivery): Promise<void>
  /** The same, behind an answer. */
  send(delivery: Delivery): void
}

/** Wires the runtime's workflow machinery to this process. */
export function createWorkflows(given: WorkflowParts): Workflows {
  const { database, runs, reviews, config, executesInline } = given
  const { deps, children } = runs
  const store = database.workflowRuns
  const active = activeWorkflows(store, deps)
  const graphs = new WorkflowGraphs(
    (organizationId, versionId) => database.read.workflows.versionGraph(organizationId, versionId),
    NODE_TYPES,
  )
  const { engine, signals, telemetry, now, newId, workerId, syncSeconds } = deps
  const parts: WorkflowDependencies = {
    store,
    engine,
    signals,
    telemetry,
    active,
    handlers: NODE_HANDLERS,
    reviews,
    graph: (organizationId, versionId) => graphs.compiled(organizationId, versionId),
    services: (run, place, signal) => nodeServices({ ...deps, children }, run, place, signal),
    now,
    newId,
    workerId,
    loopCeiling: config.loopCeiling,
    parallelNodes: config.parallelNodes,
    syncSeconds,
    executesInline,
  }
  const worker = new WorkflowWorker(parts)
  runs.sweeper.add('turn', 'due workflow runs', async () => {
    await active.renew()
    await sweepWorkflowRuns(parts, config.queueSeconds)
  })
  runs.sweeper.add('turn', 'deadlines of reviews', async () => {
    const due = await database.reviews.expire()
    await Promise.all(due.map((delivery) => sendWorkflowDelivery(parts, delivery)))
  })
  runs.sweeper.add('minute', 'runs out of budget', () => resumeRunsWithinBudget(parts))
  runs.sweeper.add('retention', 'workflow runs', () => store.sweepExpired(now()))
  const deliver = (delivery: Delivery) => sendWorkflowDelivery(parts, delivery)
  return {
    runner: new WorkflowRunner(parts, worker),
    worker,
    active,
    graphs,
    deliver,
    send: (delivery) => active.background(deliver(delivery)),
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  }
}

/** Leases and cancels of workflow runs work as those of other runs do. */
function activeWorkflows(store: Database['workflowRuns'], deps: RunDependencies): ActiveRuns {
  const { signals, telemetry, workerId } = deps
  return new ActiveRuns({
    store: store as unknown as ConstructorParameters<typeof ActiveRuns>[0]['store'],
    signals,
    telemetry,
    workerId,
    cancelSignal: 'workflow_run_cancelled',
  })
}
