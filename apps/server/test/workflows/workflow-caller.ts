import type { WorkflowId } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { TestServer } from '@troupe/test-kit/server'

/** The common fields of the poll and the synchronous response. */
export interface ToldRun {
  executionId: string
  status: string
  output: unknown
  error: string | null
}

/** A node of the trace. */
export interface ToldNode {
  nodeId: string
  path: string
  status: string
  attempts: number
  output: unknown
}

/** Calls workflows as customers of one server do. */
export class WorkflowCaller {
  readonly server: TestServer

  constructor(server: TestServer) {
    this.server = server
  }

  /** A published workflow of the seeded organization. */
  publish(graph: unknown): Promise<WorkflowId> {
    const { context, seed } = this.server
    return seedWorkflow(context.database, { organizationId: seed.organizationId, projectId: null, graph })
  }

  async run(workflowId: string, input: object = {}): Promise<ToldRun> {
    const { body } = await this.server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input } })
    return body as ToldRun
  }

  /** Publishes a graph and runs it once. */
  async runGraph(graph: unknown, input: object = {}): Promise<ToldRun> {
    return this.run(await this.publish(graph), input)
  }

  async start(workflowId: string, input: object = {}): Promise<string> {
    const { body } = await this.server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
      body: { input },
    })
    return (body as ToldRun).executionId
  }

  async status(executionId: string): Promise<string> {
    const { body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}`)
    return (body as ToldRun).status
  }

  async result(executionId: string): Promise<ToldRun> {
    const { body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
    return body as ToldRun
  }

  /** The trace, as `path/node` with how often it was started. */
  async trace(executionId: string): Promise<ToldNode[]> {
    const { body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}/nodes?limit=100`)
    return (body as { data: ToldNode[] }).data
  }
}
