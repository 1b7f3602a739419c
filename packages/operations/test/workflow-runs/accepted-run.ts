import type { WorkflowRunId } from '@troupe/contract'
import { type CompiledGraph, compileGraph, parseGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Principal } from '@troupe/operations/access/principal'
import { workflowRunRequest } from '@troupe/operations/workflow-runs/workflow-run-request'
import type { Database } from '@troupe/storage'
import type { Seed } from '@troupe/test-kit/seed'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { NewTest, RunScope } from '@troupe/workflows/ports'
import { MortalWorker, type WorkerOptions } from './mortal-worker.ts'

/** A graph as runs use it. */
export function compile(graph: unknown): CompiledGraph {
  const parsed = parseGraph(graph)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return compileGraph(parsed.value, NODE_TYPES)
}

/** A run of a new workflow, accepted by a separate process that has not begun to work on it. */
export class AcceptedRun {
  readonly worker: MortalWorker
  readonly #database: Database
  readonly #scope: RunScope
  readonly #runId: WorkflowRunId

  private constructor(
    worker: MortalWorker,
    parts: {
      database: Database
      scope: RunScope
      runId: WorkflowRunId
    },
  ) {
    this.worker = worker
    this.#database = parts.database
    this.#scope = parts.scope
    this.#runId = parts.runId
  }

  static async of(
    seed: Seed,
    graph: unknown,
    { input, ...options }: Omit<WorkerOptions, 'graph'> & { input: Record<string, unknown> },
  ): Promise<AcceptedRun> {
    const { database } = options
    const scope = { organizationId: seed.organizationId, projectId: null }
    const workflowId = await seedWorkflow(database, { ...scope, graph })
    const worker = new MortalWorker({ ...options, graph: compile(graph) })
    const principal = { ...scope, keyId: null } as unknown as Principal
    const call = { principal, workflowId, acceptedAt: Date.now(), path: '', idempotencyKey: null }
    const { runId } = await worker.runner.start(workflowRunRequest(call, { input }, 'api_async'))
    // The delivery is submitted after the response.
    await new Promise((resolve) => setImmediate(resolve))
    return new AcceptedRun(worker, { database, scope, runId })
  }

  /** The same for a test, which uses seeds instead of making calls. */
  static async ofTest(
    seed: Seed,
    graph: unknown,
    {
      input,
      seeds,
      scope: tested,
      ...options
    }: Omit<WorkerOptions, 'graph'> & Pick<NewTest, 'seeds' | 'scope'> & { input: unknown },
  ): Promise<AcceptedRun> {
    const { database } = options
    const scope = { organizationId: seed.organizationId, projectId: null, isTest: true }
    const workflowId = await seedWorkflow(database, { ...scope, graph })
    const found = await database.read.workflows.byId(scope.organizationId, workflowId)
    const versionId = found?.activeDeployment?.versionId
    if (versionId === undefined) throw new Error('not published')
    const worker = new MortalWorker({ ...options, graph: compile(graph) })
    const { runId, delivery } = await database.transaction((tx) =>
      worker.runner.startWithin(tx, {
        ...{ scope, workflowId, versionId: null, source: 'builder', firedNodeId: null, scheduledFor: null },
        ...{ input, apiKeyId: null, startedByUserId: null, idempotency: null, createdAt: Date.now() },
        test: { versionId, scope: tested, seeds, effects: false, secretNames: [] },
      }),
    )
    if (delivery) worker.deliveries.push(delivery)
    return new AcceptedRun(worker, { database, scope, runId })
  }

  async end(): Promise<{ status: string; output: unknown; error: string | null }> {
    const run = await this.#database.workflowRuns.find(this.#scope, this.#runId)
    if (!run) throw new Error('the run is gone')
    const { status, output, error } = run
    return { status, output, error }
  }

  /** The rows by place. */
  async rows() {
    const page = { page: 1, limit: 10_000 }
    const trace = await this.#database.workflowRuns.nodes(this.#scope, this.#runId, page)
    return new Map(
      trace?.rows.map((row) => [row.path === '' ? row.nodeId : `${row.path}/${row.nodeId}`, row]),
    )
  }

  /** Ends the run in any state. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.workflowRuns.cancel(this.#scope, this.#runId)
  }
}
