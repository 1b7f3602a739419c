import { propertyOf } from '@troupe/contract'
import { REVIEW_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let owner: BuilderClient
let rita: BuilderClient & { person: { userId: string } }
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await asMember(server, 'owner', 'Olga')
  rita = await asMember(server, 'reviewer', 'Rita')
})
afterAll(() => server[Symbol.asyncDispose]())

const FIELDS = [
  { name: 'amount', label: 'New amount', type: 'number', required: true, value: 250 },
  { name: 'note', label: 'Note', type: 'text', value: 'kept' },
]

/** Starts a run with a review that proposes 250 and needs several approvals, and waits for the review. */
async function asked(
  title: string,
  approvalsRequired = 2,
  fields: object[] = FIELDS,
): Promise<{ runId: string; reviewId: string; workflowId: string }> {
  const { organizationId, keys } = server.seed
  const node = { ...REVIEW_GRAPH.nodes[1], config: { title, fields, approvalsRequired } }
  const workflowId = await seedWorkflow(server.context.database, {
    ...{ organizationId, projectId: null, name: `${title}s` },
    graph: { ...REVIEW_GRAPH, nodes: [REVIEW_GRAPH.nodes[0], node] },
  })
  const started = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
    key: keys.organization,
    body: { input: {} },
  })
  let reviewId: unknown
  await expect
    .poll(async () => {
      const { body } = await owner.send(`GET /reviews?workflowId=${workflowId}`)
      reviewId = propertyOf(propertyOf(propertyOf(body, 'data'), '0'), 'reviewId')
      return reviewId
    })
    .toEqual(expect.any(String))
  return { runId: String(propertyOf(started.body, 'executionId')), reviewId: String(reviewId), workflowId }
}

async function approve(who: BuilderClient, reviewId: string, data: object): Promise<void> {
  const revision = propertyOf((await who.send(`GET /reviews/${reviewId}`)).body, 'revision')
  const body = { decision: 'approve', data, revision }
  expect(await who.send(`POST /reviews/${reviewId}/decision`, body)).toMatchObject({ status: 200 })
}

const change = (from: number, to: number) => [{ name: 'amount', label: 'New amount', from, to }]

test('a review shows the proposed values and the changes of each approver: to its readers, in its run and in the audit log', async () => {
  const { runId, reviewId, workflowId } = await asked('Refund')
  await approve(rita, reviewId, { amount: 5 })
  const half = (await owner.send(`GET /reviews/${reviewId}`)).body
  const inCapitals = await owner.send(`GET /reviews/${reviewId.toUpperCase()}`)
  expect(inCapitals.body).toEqual(half)
  expect(half).toMatchObject({
    proposed: { amount: 250, note: 'kept' },
    fields: [{ name: 'amount', value: 5 }, { name: 'note' }],
    votes: [{ name: 'Rita', decision: 'approve', changes: change(250, 5) }],
  })
  await approve(owner, reviewId, { amount: 7 })
  const history = {
    proposed: { amount: 250, note: 'kept' },
    decision: { by: { name: 'Olga' }, data: { amount: 7, note: 'kept' } },
    votes: [
      { name: 'Rita', changes: change(250, 5) },
      { name: 'Olga', changes: change(5, 7) },
    ],
  }
  expect((await rita.send(`GET /reviews/${reviewId}`)).body).toMatchObject(history)
  expect((await owner.send(`GET /runs/${runId}`)).body).toMatchObject({
    workflowRun: { reviews: [{ reviewId, ...history }] },
  })
  expect((await owner.send(`GET /audit?entityId=${reviewId}`)).body).toMatchObject({
    data: [
      {
        actor: { name: 'Olga' },
        entity: { kind: 'review', id: reviewId, name: 'Refund' },
        before: { data: { amount: 5 } },
        after: { workflowId, workflowName: 'Refunds', runId, by: { name: 'Olga' }, data: { amount: 7 } },
      },
      { actor: { name: 'Rita' }, before: { data: { amount: 250 } }, after: { data: { amount: 5 } } },
    ],
  })
  // The public API is unchanged.
  const { body } = await server.call(`GET /api/v1/reviews/${reviewId}`)
  expect(propertyOf(propertyOf(body, 'fields'), '0')).not.toHaveProperty('proposed')
  expect(body).not.toHaveProperty('votes')
})

test('the change of an approver who rejects later is not attributed to another approver', async () => {
  const { reviewId } = await asked('Return', 3)
  await approve(rita, reviewId, { amount: 5 })
  await approve(owner, reviewId, {})
  const { revision } = (await rita.send(`GET /reviews/${reviewId}`)).body as { revision: string }
  const reject = { decision: 'reject', comment: 'No', revision }
  expect(await rita.send(`POST /reviews/${reviewId}/decision`, reject)).toMatchObject({ status: 200 })
  expect((await owner.send(`GET /reviews/${reviewId}`)).body).toMatchObject({
    proposed: { amount: 250 },
    votes: [
      { name: 'Olga', decision: 'approve', changes: [] },
      { name: 'Rita', decision: 'reject', changes: [] },
    ],
  })
  expect((await owner.send(`GET /audit?entityId=${reviewId}`)).body).toMatchObject({
    data: [
      { actor: { name: 'Rita' }, before: null },
      { actor: { name: 'Olga' }, before: null },
      { actor: { name: 'Rita' }, before: { data: { amount: 250 } }, after: { data: { amount: 5 } } },
    ],
  })
})

test('a reviewer can reject an approved review again after another approval changed the values', async () => {
  const { reviewId, workflowId } = await asked('Rebate', 4)
  const mine = async () =>
    (await rita.send(`GET /reviews?decided=false&mine=true&workflowId=${workflowId}`)).body
  await approve(rita, reviewId, { amount: 5 })
  await approve(await asMember(server, 'member', 'Max'), reviewId, {})
  expect(await mine()).toMatchObject({ total: 0, data: [] })
  await approve(owner, reviewId, { note: null })
  expect(await mine()).toMatchObject({ total: 1, data: [{ reviewId, hasApproved: true }] })
  const { body } = await rita.send(`GET /reviews/${reviewId}`)
  expect(body).toMatchObject({ hasApproved: true, obstacle: null, fields: [{ value: 5 }, { value: null }] })
  const reject = { decision: 'reject', comment: 'No', revision: propertyOf(body, 'revision') }
  expect(await rita.send(`POST /reviews/${reviewId}/decision`, reject)).toMatchObject({
    body: { status: 'rejected' },
  })
})

test('the audit log has no value that a decision left unchanged', async () => {
  const { reviewId } = await asked('Voucher')
  await approve(rita, reviewId, {})
  const { body } = await owner.send(`GET /audit?entityId=${reviewId}`)
  expect(body).toMatchObject({ data: [{ entity: { name: 'Voucher' }, before: null }] })
  // A value, not three digits of an id or a time.
  expect(JSON.stringify(body)).not.toMatch(/[:[]250\b|kept/)
})

test('secrets among the values are shown to reviewers only: not in the run, and not in the audit log', async () => {
  const { runId, reviewId } = await asked('Access', 2, [
    { name: 'password', label: 'Password', type: 'text', value: 'hunter-before' },
    { name: 'note', label: 'Note', type: 'text', value: 'Bearer before-the-change' },
    { name: 'amount', label: 'Amount', type: 'number', value: 1 },
  ])
  await approve(rita, reviewId, { password: 'hunter-after', note: 'Bearer after-the-change', amount: 2 })
  const shown = async (path: string) => JSON.stringify((await owner.send(path)).body)
  for (const path of [`GET /runs/${runId}`, `GET /audit?entityId=${reviewId}`]) {
    expect(await shown(path)).toContain('"note":"Bearer [redacted]"')
    expect(await shown(path)).not.toMatch(/hunter|the-change/)
  }
  expect((await owner.send(`GET /runs/${runId}`)).body).toMatchObject({
    workflowRun: {
      reviews: [
        {
          fields: [{ value: '[redacted]' }, { value: 'Bearer [redacted]' }, { value: 2 }],
          votes: [
            { changes: [{ name: 'password', to: '[redacted]' }, { name: 'note' }, { from: 1, to: 2 }] },
          ],
        },
      ],
    },
  })
  expect(await shown(`GET /reviews/${reviewId}`)).toMatch(
    /hunter-before.*hunter-after|hunter-after.*hunter-before/,
  )
})

test('an approved review is no longer among the assigned ones, and still among all open ones', async () => {
  const { reviewId, workflowId } = await asked('Discount')
  const listed = async (who: BuilderClient, query: string) =>
    (await who.send(`GET /reviews?decided=false&workflowId=${workflowId}${query}`)).body
  const home = async () => propertyOf(propertyOf((await owner.send('GET /home')).body, 'reviews'), 'open')
  const before = Number(await home())
  expect(await listed(rita, '&mine=true')).toMatchObject({ total: 1, data: [{ hasApproved: false }] })
  await approve(rita, reviewId, {})
  expect(await listed(rita, '&mine=true')).toMatchObject({ total: 0, data: [] })
  expect(await listed(rita, '')).toMatchObject({ total: 1, data: [{ reviewId, hasApproved: true }] })
  expect(await listed(owner, '&mine=true')).toMatchObject({ total: 1, data: [{ hasApproved: false }] })
  expect(await home()).toBe(before)
  const { body } = await owner.send(`GET /reviews/${reviewId}`)
  const reject = { decision: 'reject', comment: 'No', revision: propertyOf(body, 'revision') }
  await owner.send(`POST /reviews/${reviewId}/decision`, reject)
  expect(await home()).toBe(before - 1)
})
