import type { ApprovalStore, RunTelemetry } from '@troupe/agents/ports'
import type { NewId, OrganizationId, WorkflowRunId, WorkflowVersionId } from '@troupe/contract'
import type { ActiveTurns, RunEngine, Signals } from '@troupe/durable-work'
import type { CompiledGraph } from '@troupe/graph'
import type { NodeHandlers, NodeServices } from '../ports/node-handler.ts'
import type { RunReviews } from '../ports/review-store.ts'
import type { WorkflowRunStore } from '../ports/workflow-store.ts'
import type { LoopShares } from './loop-shares.ts'
import type { RunIdentity } from './run-identity.ts'

/** Identifies a node of a run in progress. */
export interface NodePlace {
  path: string
  nodeId: string
  iteration: number | null
}

/** The stored runs, reviews and approvals. */
export interface WorkflowRows {
  store: WorkflowRunStore
  reviews: RunReviews
  approvals: Pick<ApprovalStore, 'decided'>
  /** The graph of a version, compiled and cached; null if the version is deleted. */
  graph(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<CompiledGraph | null>
}

/** The execution of nodes. */
export interface NodeRuntime {
  handlers: NodeHandlers
  /** The services of one node execution. */
  services(run: RunIdentity, place: NodePlace, signal: AbortSignal): NodeServices
  telemetry: RunTelemetry
  /** Milliseconds since the epoch. */
  now: () => number
  /** The share of the event loop that pure nodes may use. */
  shares: LoopShares
  /** `WORKFLOW_LOOP_ITERATION_CEILING`. */
  loopCeiling: number
  /** `TROUPE_WORKFLOW_PARALLEL_NODES`: concurrent effects of one run. */
  parallelNodes: number
}

/** The turns of this process, and their callers. */
export interface WorkflowTurns {
  engine: RunEngine
  signals: Signals
  /** The workflow runs that are active in this process. */
  active: ActiveTurns<WorkflowRunId>
  newId: NewId
  /** Identifies this process in the rows of its runs. */
  workerId: string
  /** How long a synchronous caller waits, in seconds (30 by the contract). */
  syncSeconds: number
  /** Whether this process executes runs, so that a waiting caller's run needs no engine. */
  executesInline: boolean
}

/** The dependencies of running workflows; wired once by the composition root. */
export interface WorkflowDependencies extends WorkflowRows, NodeRuntime, WorkflowTurns {}
