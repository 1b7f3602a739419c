import { propertyOf } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { PAUSE_MS } from '../../src/core/reviews/double-press.ts'
import { type Journey, startJourney } from './journey.ts'

/** How long a page or a run may take on a loaded machine, for `expect.poll`. */
export const REVIEW_POLL = { timeout: 20_000, interval: 50 }

/** The settings of a review that shows values, has a field of each kind and needs a reason to reject. */
export const REVIEW_CONFIG = {
  instructions: '## Please check\n\nPay back **no more** than the order was worth.',
  show: [
    { label: 'Order', value: '{{ trigger.order }}' },
    { label: 'Customer', value: '{{ trigger }}' },
  ],
  fields: [
    { name: 'amount', label: 'Amount', type: 'number', required: true, value: 12 },
    { name: 'reason', label: 'Reason', type: 'select', options: ['late', 'broken'] },
    { name: 'note', label: 'Note', type: 'textarea', value: 'Two\nlines' },
    { name: 'urgent', label: 'Urgent', type: 'boolean', value: false },
  ],
  requireRejectComment: true,
}

/** The settings of a review assigned to these users only. */
export const asking = (...userIds: string[]) => ({ reviewers: { kind: 'users', userIds } })

/** Until a review that a decision has brought up can be decided itself. */
export const readNext = (page: Page) => page.waitForTimeout(PAUSE_MS + 100)

/** Waits for the page with this heading. */
export const headed = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Start, a review, and a node that stores the decision. */
function refundGraph(config: object) {
  const node = (id: string, type: string, own: object, x: number) => ({
    ...{ id, type, name: id, position: { x, y: 0 }, config: own },
  })
  return {
    nodes: [
      node('start', 'manual-trigger', {}, 0),
      node('ask', 'human-review', { title: 'Refund {{ trigger.order }}', ...config }, 1),
      node('done', 'edit-fields', { rows: [{ name: 'review', value: '{{ upstream.ask.output }}' }] }, 2),
    ],
    edges: [
      { id: 'a', source: 'start', sourceHandle: 'out', target: 'ask' },
      { id: 'b', source: 'ask', sourceHandle: 'approved', target: 'done' },
    ],
  }
}

/** A journey through reviews: runs of a workflow `Refunds` that ask, and the links that were sent. */
export interface ReviewJourney extends AsyncDisposable {
  journey: Journey
  /** Starts a run that requests the refund of an order. */
  ask(order: string, config: object): Promise<{ executionId: string; workflowId: string }>
  reaches(executionId: string, status: string): Promise<void>
  /** The id of the first review of a run that waits for one. */
  reviewOf(executionId: string): Promise<string>
  /** The result of a run; waits for its end. */
  outputOf(executionId: string): Promise<unknown>
  /** The link of a review as it was sent by e-mail; waits for the e-mail. */
  linkOf(executionId: string): Promise<string>
}

export async function startReviews(): Promise<ReviewJourney> {
  const links = new Map<string, string>()
  const mailer = {
    sends: true,
    async send({ id = '', text }: { id?: string; text: string }) {
      links.set(id, /https?:\S+/.exec(text)?.[0] ?? '')
    },
  }
  const journey = await startJourney({ overrides: { mailer } })
  const { server } = journey
  const ofRun = async (executionId: string, rest = '') =>
    (await server.call(`GET /api/v1/workflow-jobs/${executionId}${rest}`)).body
  const reaches = (executionId: string, status: string) =>
    expect.poll(async () => propertyOf(await ofRun(executionId), 'status'), REVIEW_POLL).toBe(status)
  const reviewOf = async (executionId: string) => {
    await reaches(executionId, 'awaiting_approval')
    const found = propertyOf(await ofRun(executionId, '/reviews'), 'data')
    return String(propertyOf(Array.isArray(found) ? found[0] : null, 'reviewId'))
  }
  return {
    journey,
    reaches,
    reviewOf,
    async ask(order, config) {
      const { organizationId } = server.seed
      const workflowId = await seedWorkflow(server.context.database, {
        ...{ organizationId, projectId: null, name: 'Refunds', graph: refundGraph(config) },
      })
      const { body } = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
        body: { input: { order } },
      })
      return { workflowId, executionId: String(propertyOf(body, 'executionId')) }
    },
    async outputOf(executionId) {
      await reaches(executionId, 'completed')
      return propertyOf(await ofRun(executionId, '/result'), 'output')
    },
    async linkOf(executionId) {
      const reviewId = await reviewOf(executionId)
      await expect.poll(() => links.has(reviewId), REVIEW_POLL).toBe(true)
      const { pathname, search, hash } = new URL(links.get(reviewId) ?? '')
      return journey.url + pathname + search + hash
    },
    [Symbol.asyncDispose]: () => journey[Symbol.asyncDispose](),
  }
}
