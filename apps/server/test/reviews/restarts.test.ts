import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkedId, WorkflowId } from '@troupe/contract'
import { type Database, openDatabase } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'
import { withDeadlines } from './short-deadlines.ts'

/** A later version of the same workflow: nothing of the old version remains. */
const REPLACED = {
  nodes: [
    node('begin', 'manual-trigger'),
    node('other', 'edit-fields', { rows: [{ name: 'v', value: 'new' }] }),
  ],
  edges: [edge('begin', 'other')],
}

async function publish(
  database: Database,
  id: string,
  organizationId: string,
  graph: unknown,
): Promise<void> {
  const createdBy = { kind: 'system', id: null, ip: null, requestId: null } as const
  await database.transaction(({ write }) =>
    write.workflows.publish({
      organizationId: organizationId as never,
      id: checkedId(WorkflowId, id),
      graph,
      resources: [],
      createdBy,
    }),
  )
}

// n8n-io/n8n#34515, #32509; windmill-labs/windmill#10287
test('a review survives its server: the next one on the same data answers it, on the version of its run', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'troupe-reviews-'))
  try {
    const first = await openDatabase({ kind: 'pglite', directory })
    const server = await startTestServer({ overrides: { database: first } })
    const asked = await new ReviewSetting(server).ask(reviewGraph())
    const { organizationId, keys } = server.seed
    await publish(first, asked.workflowId, organizationId, REPLACED)
    await server[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()

    await using second = await openDatabase({ kind: 'pglite', directory })
    await using next = await startTestServer({ overrides: { database: second } })
    const setting = new ReviewSetting(next)
    const answer = await setting.decide(
      asked.reviews[0]?.reviewId,
      { decision: 'approve' },
      keys.organization,
    )
    expect(answer).toMatchObject({ status: 200, body: { status: 'approved' } })
    const scope = { organizationId, projectId: null }
    const run = () => second.workflowRuns.find(scope, asked.executionId as never)
    await expect.poll(async () => (await run())?.status, WAIT).toBe('completed')
    expect((await run())?.output).toMatchObject({ went: 'approved' })
    const { body } = await next.call(`POST /api/v1/workflows/${asked.workflowId}/run`, {
      key: keys.organization,
      body: {},
    })
    expect(body).toMatchObject({ output: { v: 'new' } })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 60_000)

test('an answer in progress on a dying worker is processed by the next one, with the same result', async () => {
  await using database = await openDatabase({ kind: 'pglite', directory: null })
  let deaths = 0
  const dying: Database = {
    ...database,
    exclusive: true,
    workflowRuns: {
      ...database.workflowRuns,
      // The worker dies with the commit of the answer, before it is written.
      commit: (commit) => {
        if (!commit.nodeRuns.some(({ nodeId, status }) => nodeId === 'ask' && status === 'completed')) {
          return database.workflowRuns.commit(commit)
        }
        deaths += 1
        return Promise.reject(new Error('the worker is gone'))
      },
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const server = await startTestServer({ overrides: { database: dying } })
  const setting = new ReviewSetting(server)
  const { executionId, reviews } = await setting.ask(reviewGraph())
  await setting.reaches(executionId, 'awaiting_approval')
  await setting.decide(reviews[0]?.reviewId, { decision: 'approve', comment: 'Once' })
  await expect.poll(() => deaths, WAIT).toBe(1)
  expect(await setting.poll(executionId)).toMatchObject({ status: 'running' })
  await server[Symbol.asyncDispose]()

  await using next = await startTestServer({ overrides: { database } })
  await database.workflowRuns.recover()
  await next.context.duties.perform('watchdog')
  const run = () =>
    database.workflowRuns.find(
      { organizationId: server.seed.organizationId, projectId: null },
      executionId as never,
    )
  await expect.poll(async () => (await run())?.status, WAIT).toBe('completed')
  expect((await run())?.output).toMatchObject({ went: 'approved', review: { comment: 'Once' } })
}, 60_000)

describe('when the deadline passes', () => {
  const resources = new AsyncDisposableStack()
  let setting: ReviewSetting
  let deadline = 0.3
  beforeAll(async () => {
    const database = resources.use(await openDatabase({ kind: 'pglite', directory: null }))
    const server = await startTestServer({ overrides: { database: withDeadlines(database, () => deadline) } })
    setting = new ReviewSetting(resources.use(server))
  })
  afterAll(() => resources.disposeAsync())

  const timeout = { after: 3, unit: 'days' }
  const sweep = async () => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await setting.server.context.duties.perform('watchdog')
  }

  test('the run takes the edge of the deadline, with the proposed values and no reviewer', async () => {
    const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 5 }]
    const { executionId, reviews } = await setting.ask(
      reviewGraph({ timeout, fields }, ['approved', 'timeout']),
    )
    expect(reviews[0]?.expiresAt).toEqual(expect.any(Number))
    await sweep()
    expect(await setting.output(executionId)).toEqual({
      went: 'timeout',
      review: {
        decision: 'timeout',
        comment: null,
        data: { amount: 5 },
        reviewedBy: null,
        reviewedAt: expect.any(Number),
      },
    })
    expect(await setting.reviews(executionId)).toMatchObject([{ status: 'timeout', decision: null }])
  })

  test('a deadline without an edge fails the run by name', async () => {
    const { executionId } = await setting.ask(reviewGraph({ timeout }))
    await sweep()
    expect(await setting.reaches(executionId, 'failed')).toMatchObject({
      error: 'Review ask ("Approve refund") timed out after 3 days',
    })
  })

  test('a late decision is refused before the watchdog has run, and the run continues', async () => {
    const { executionId, reviews } = await setting.ask(reviewGraph({ timeout }, ['approved', 'timeout']))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { error: 'review_already_decided', review: { status: 'timeout', decision: null } },
    })
    expect(await setting.output(executionId)).toMatchObject({ went: 'timeout' })
  })

  test('deadlines continue while a run is paused, and apply when it is resumed', async () => {
    const { executionId } = await setting.ask(reviewGraph({ timeout }, ['approved', 'timeout']))
    await setting.reaches(executionId, 'awaiting_approval')
    const call = (what: string) => setting.server.call(`POST /api/v1/workflow-jobs/${executionId}/${what}`)
    await call('pause')
    await sweep()
    expect(await setting.reviews(executionId)).toMatchObject([{ status: 'timeout' }])
    expect(await setting.poll(executionId)).toMatchObject({ status: 'paused' })
    await call('resume')
    expect(await setting.output(executionId)).toMatchObject({ went: 'timeout' })
  })

  test('a future deadline changes nothing', async () => {
    deadline = 60
    const { executionId } = await setting.ask(reviewGraph({ timeout }))
    await sweep()
    expect(await setting.reviews(executionId)).toMatchObject([{ status: 'open' }])
    deadline = 0.3
  })
})
