import type { Review } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { TestAnswer, TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'

/** Start, a review, and a node for each of the outgoing handles. */
export function reviewGraph(config: object = {}, leadsOn: readonly string[] = ['approved', 'rejected']) {
  return {
    nodes: [
      node('start', 'manual-trigger'),
      {
        ...node('ask', 'human-review', { title: 'Refund {{ trigger.order }}', ...config }),
        name: 'Approve refund',
      },
      ...leadsOn.map((handle) =>
        node(handle, 'edit-fields', {
          rows: [
            { name: 'went', value: handle, mode: 'fixed' },
            { name: 'review', value: '{{ upstream.ask.output }}' },
          ],
        }),
      ),
    ],
    edges: [edge('start', 'ask'), ...leadsOn.map((handle) => edge('ask', handle, handle))],
  }
}

/** The state of a run in its poll. */
export interface Polled {
  status: string
  statusReason: string | null
  error: string | null
}

/** Runs with reviews on one server. */
export class ReviewSetting {
  readonly server: TestServer

  constructor(server: TestServer) {
    this.server = server
  }

  workflow(graph: unknown, name = 'Refunds'): Promise<string> {
    const { organizationId } = this.server.seed
    return seedWorkflow(this.server.context.database, { organizationId, projectId: null, graph, name })
  }

  async start(workflowId: string, input: object = { order: 'A-1' }): Promise<string> {
    const { status, body } = await this.server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
      body: { input },
    })
    expect(status).toBe(202)
    return (body as { executionId: string }).executionId
  }

  /** Starts a run and waits for its reviews to be open. */
  async ask(
    graph: unknown,
    count = 1,
  ): Promise<{ workflowId: string; executionId: string; reviews: Review[] }> {
    const workflowId = await this.workflow(graph)
    const executionId = await this.start(workflowId)
    return { workflowId, executionId, reviews: await this.open(executionId, count) }
  }

  async reviews(executionId: string): Promise<Review[]> {
    const { body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}/reviews?limit=100`)
    return (body as { data: Review[] }).data
  }

  /** The open reviews of a run, once there are this many. */
  async open(executionId: string, count = 1): Promise<Review[]> {
    let open: Review[] = []
    await expect
      .poll(async () => {
        open = (await this.reviews(executionId)).filter(({ status }) => status === 'open')
        return open.length
      }, WAIT)
      .toBe(count)
    return open
  }

  decide(reviewId: string | undefined, body: object, key?: string): Promise<TestAnswer> {
    return this.server.call(`POST /api/v1/reviews/${reviewId}/decision`, { body, ...(key && { key }) })
  }

  async poll(executionId: string): Promise<Polled> {
    return (await this.server.call(`GET /api/v1/workflow-jobs/${executionId}`)).body as Polled
  }

  async reaches(executionId: string, status: string): Promise<Polled> {
    await expect.poll(async () => (await this.poll(executionId)).status, WAIT).toBe(status)
    return this.poll(executionId)
  }

  async output(executionId: string): Promise<unknown> {
    await this.reaches(executionId, 'completed')
    const { body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
    return (body as { output: unknown }).output
  }
}

/** Generous: these tests share a machine. */
export const WAIT = { timeout: 15_000, interval: 20 }
