import type { Review } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph } from './review-setting.ts'

let server: TestServer
let setting: ReviewSetting
beforeAll(async () => {
  server = await startTestServer()
  setting = new ReviewSetting(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const FIELDS = [
  { name: 'amount', label: 'Amount', type: 'number', required: true, value: '{{ trigger.amount }}' },
  { name: 'reason', label: 'Reason', type: 'select', options: ['late', 'broken'] },
  { name: 'note', label: 'Note', type: 'textarea', value: 'none' },
  { name: 'urgent', label: 'Urgent', type: 'boolean', value: false },
]

async function askWithFields(input: object = { order: 'A-1', amount: 12 }) {
  const workflowId = await setting.workflow(reviewGraph({ fields: FIELDS }))
  const executionId = await setting.start(workflowId, input)
  const [review] = await setting.open(executionId)
  return { workflowId, executionId, review: review as Review }
}

test('a run waits for its review, reports it, and continues with the decision', async () => {
  const show = [{ label: 'Order', value: '{{ trigger }}' }]
  const instructions = 'Look at **{{ trigger.order }}**.'
  const { workflowId, executionId, reviews } = await setting.ask(reviewGraph({ show, instructions }))
  expect(await setting.reaches(executionId, 'awaiting_approval')).toMatchObject({
    statusReason: 'waiting for 1 review: "Approve refund"',
  })
  const [review] = reviews
  expect(review).toEqual({
    reviewId: expect.any(String),
    executionId,
    workflowId,
    workflowName: 'Refunds',
    nodeId: 'ask',
    path: '',
    title: 'Refund A-1',
    instructions: 'Look at **A-1**.',
    data: [{ label: 'Order', value: { order: 'A-1' } }],
    fields: [],
    status: 'open',
    approvals: 0,
    approvalsRequired: 1,
    createdAt: expect.any(Number),
    expiresAt: null,
    decidedAt: null,
    decision: null,
  })
  const decided = await setting.decide(review?.reviewId, { decision: 'approve', comment: ' Fine. ' })
  expect(decided).toMatchObject({
    status: 200,
    body: { reviewId: review?.reviewId, executionId, status: 'approved', decidedAt: expect.any(Number) },
  })
  const { decidedAt } = decided.body as { decidedAt: number }
  const by = { type: 'apiKey', id: expect.any(String), name: expect.any(String) }
  expect(await setting.output(executionId)).toEqual({
    went: 'approved',
    review: { decision: 'approved', comment: 'Fine.', data: {}, reviewedBy: by, reviewedAt: decidedAt },
  })
  expect((await server.call(`GET /api/v1/reviews/${review?.reviewId}`)).body).toMatchObject({
    status: 'approved',
    approvals: 1,
    decidedAt,
    decision: { by, comment: 'Fine.', data: {} },
  })
})

test('reviewers see and decide the full values, although the trace is redacted and truncated', async () => {
  const order = 'Basic subscription-2026'
  const long = 'x'.repeat(100_000)
  const config = {
    instructions: 'Bearer abcdefghijklmnop',
    show: [{ label: 'Payload', value: '{{ trigger }}' }],
    fields: [{ name: 'token', label: 'Token', type: 'text', value: '{{ trigger.order }}' }],
  }
  const executionId = await setting.start(await setting.workflow(reviewGraph(config)), { order, long })
  const [review] = await setting.open(executionId)
  expect(review).toMatchObject({
    title: `Refund ${order}`,
    instructions: 'Bearer abcdefghijklmnop',
    data: [{ label: 'Payload', value: { order, long } }],
    fields: [{ name: 'token', value: order }],
  })
  await setting.decide(review?.reviewId, { decision: 'approve' })
  expect(await setting.output(executionId)).toMatchObject({ review: { data: { token: order } } })
})

test('a rejection takes its own edge', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph())
  await setting.decide(reviews[0]?.reviewId, { decision: 'reject', comment: 'No.' })
  expect(await setting.output(executionId)).toMatchObject({
    went: 'rejected',
    review: { decision: 'rejected', comment: 'No.' },
  })
})

test('a rejection without an edge fails the run by name, an approval without one ends its path', async () => {
  const rejected = await setting.ask(reviewGraph({}, ['approved']))
  await setting.decide(rejected.reviews[0]?.reviewId, { decision: 'reject', comment: 'Too much' })
  const { error } = await setting.reaches(rejected.executionId, 'failed')
  expect(error).toMatch(/^Review ask \("Approve refund"\) was rejected by .+: Too much$/)

  const silent = await setting.ask(reviewGraph({}, []))
  await setting.decide(silent.reviews[0]?.reviewId, { decision: 'reject' })
  const { error: withoutComment } = await setting.reaches(silent.executionId, 'failed')
  expect(withoutComment).toMatch(/^Review ask \("Approve refund"\) was rejected by [^:]+$/)

  const approved = await setting.ask(reviewGraph({}, ['rejected']))
  await setting.decide(approved.reviews[0]?.reviewId, { decision: 'approve' })
  expect(await setting.output(approved.executionId)).toBeNull()
})

test('an approval without data uses the proposed values', async () => {
  const { executionId, review } = await askWithFields()
  expect(review.fields.map(({ value }) => value)).toEqual([12, null, 'none', false])
  await setting.decide(review.reviewId, { decision: 'approve' })
  expect(await setting.output(executionId)).toMatchObject({
    review: { data: { amount: 12, reason: null, note: 'none', urgent: false } },
  })
})

test('sent values replace the proposed ones, and null clears a field', async () => {
  const { executionId, review } = await askWithFields()
  const data = { amount: 7.5, reason: 'late', note: null }
  expect(await setting.decide(review.reviewId, { decision: 'approve', data })).toMatchObject({ status: 200 })
  expect(await setting.output(executionId)).toMatchObject({
    review: { data: { amount: 7.5, reason: 'late', note: null, urgent: false } },
  })
})

test('every invalid value is named at once, and the review stays open', async () => {
  const { review } = await askWithFields()
  const data = { amount: '12', reason: 'bored', note: 1, urgent: 'yes', amuont: 1 }
  expect(await setting.decide(review.reviewId, { decision: 'approve', data })).toMatchObject({
    status: 400,
    body: {
      error: 'validation_error',
      errors: [
        { path: 'data.amuont', message: 'is not a field of this review' },
        { path: 'data.amount', message: 'must be a number' },
        { path: 'data.reason', message: 'must be one of: late, broken' },
        { path: 'data.note', message: 'must be a string' },
        { path: 'data.urgent', message: 'must be a boolean' },
      ],
    },
  })
  expect((await server.call(`GET /api/v1/reviews/${review.reviewId}`)).body).toMatchObject({ status: 'open' })
})

test('a required field without a proposed value must be filled in to approve, not to reject', async () => {
  const { review } = await askWithFields({ order: 'A-1', amount: 'many' })
  expect(review.fields[0]).toMatchObject({ name: 'amount', value: null })
  expect(await setting.decide(review.reviewId, { decision: 'approve' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'data.amount', message: 'is required' }] },
  })
  expect(await setting.decide(review.reviewId, { decision: 'reject' })).toMatchObject({ status: 200 })
})

test('a missing rejection comment is reported with every other error', async () => {
  const { reviews } = await setting.ask(reviewGraph({ requireRejectComment: true }))
  const reject = (body: object) => setting.decide(reviews[0]?.reviewId, { decision: 'reject', ...body })
  expect(await reject({ comment: '  ', data: { x: 1 } })).toMatchObject({
    status: 400,
    body: {
      errors: [
        { path: 'comment', message: 'is required for a rejection' },
        { path: 'data.x', message: 'is not a field of this review' },
      ],
    },
  })
  expect(await reject({ comment: 'Because.' })).toMatchObject({ status: 200, body: { status: 'rejected' } })
})

test('a malformed body is refused before any lookup', async () => {
  expect(await setting.decide('nothing', { decision: 'maybe', comment: 7, data: [] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'decision' }, { path: 'comment' }, { path: 'data' }] },
  })
  expect(await setting.decide('nothing', { decision: 'approve' })).toMatchObject({
    status: 404,
    body: { error: 'review_not_found' },
  })
})

test('the first decision is final: repeating it with the same key gets the same response, any other is refused with it', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph())
  const reviewId = reviews[0]?.reviewId
  const first = await setting.decide(reviewId, { decision: 'approve', comment: 'Yes' })
  expect(await setting.decide(reviewId, { decision: 'approve', comment: 'Yes ' })).toEqual({
    ...first,
    headers: expect.anything(),
  })
  expect(await setting.decide(reviewId, { decision: 'reject' })).toMatchObject({
    status: 409,
    body: {
      error: 'review_already_decided',
      review: {
        reviewId,
        executionId,
        status: 'approved',
        decidedAt: (first.body as { decidedAt: number }).decidedAt,
        decision: { by: { type: 'apiKey' }, comment: 'Yes', data: {} },
      },
    },
  })
  await setting.output(executionId)
  expect(await setting.decide(reviewId, { decision: 'approve', comment: 'Yes' })).toMatchObject({
    status: 200,
  })
})

test('the same verdict with other values or another comment is not the same decision', async () => {
  const { executionId, review } = await askWithFields()
  const approve = (body: object) => setting.decide(review.reviewId, { decision: 'approve', ...body })
  const first = { comment: 'Half of it', data: { amount: 6 } }
  expect((await approve(first)).status).toBe(200)
  expect(await approve({ ...first, data: { amount: 6, urgent: false } })).toMatchObject({ status: 200 })
  for (const other of [
    { ...first, data: { amount: 7 } },
    { ...first, data: {} },
    { ...first, data: { amount: 6, nonsense: 1 } },
    { ...first, comment: 'All of it' },
    { data: { amount: 6 } },
  ]) {
    expect(await approve(other)).toMatchObject({
      status: 409,
      body: {
        error: 'review_already_decided',
        review: { decision: { comment: 'Half of it', data: { amount: 6 } } },
      },
    })
  }
  expect(await setting.output(executionId)).toMatchObject({ review: first })
})

test('a reviewer who has already approved gets an error, and may still reject', async () => {
  const config = { approvalsRequired: 2, fields: FIELDS }
  const executionId = await setting.start(await setting.workflow(reviewGraph(config)), {
    amount: 1,
    order: 'A',
  })
  const [review] = await setting.open(executionId)
  const approve = (data: object) => setting.decide(review?.reviewId, { decision: 'approve', data })
  expect(await approve({ amount: 6 })).toMatchObject({ status: 200, body: { status: 'open' } })
  expect(await approve({ amount: 6 })).toMatchObject({ status: 200, body: { status: 'open' } })
  expect(await approve({ amount: 7 })).toMatchObject({
    status: 409,
    body: {
      error: 'review_already_decided',
      message: 'You have already approved. The review waits for 1 more.',
      review: { status: 'open', decision: null },
    },
  })
  expect(await setting.decide(review?.reviewId, { decision: 'reject' })).toMatchObject({ status: 200 })
  expect(await setting.output(executionId)).toMatchObject({ went: 'rejected' })
})

test('the reviews of an organization are listed newest first, by status and by workflow', async () => {
  const { workflowId, executionId, reviews } = await setting.ask(reviewGraph())
  const list = async (query: string) => {
    const { body } = await server.call(`GET /api/v1/reviews?${query}`)
    return body as { data: Review[]; total: number; page: number; limit: number }
  }
  expect(await list(`workflowId=${workflowId}`)).toEqual({ data: reviews, total: 1, page: 1, limit: 20 })
  expect((await list(`workflowId=${workflowId}&status=approved`)).data).toEqual([])
  await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })
  await setting.output(executionId)
  expect((await list(`workflowId=${workflowId}&status=approved`)).total).toBe(1)
  const page = await list('limit=2&page=2')
  expect(page).toMatchObject({ page: 2, limit: 2 })
  expect(page.data.length).toBe(2)
  const newest = await list('limit=1')
  expect(newest.data[0]?.reviewId).toBe(reviews[0]?.reviewId)
  expect(await server.call('GET /api/v1/reviews?status=done&workflowId=x&limit=0')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'limit' }, { path: 'status' }, { path: 'workflowId' }] },
  })
})
