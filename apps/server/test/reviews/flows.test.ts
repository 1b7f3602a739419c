import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'

let server: TestServer
let setting: ReviewSetting
beforeAll(async () => {
  server = await startTestServer()
  setting = new ReviewSetting(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const review = (id: string, config: object = {}, parentId?: string) =>
  node(id, 'human-review', { title: `About ${id}`, ...config }, parentId)
const shape = (id: string, value: string, parentId?: string) =>
  node(id, 'edit-fields', { rows: [{ name: 'v', value }] }, parentId)

test('two reviews of one run are answered one after the other, and a join waits for both', async () => {
  const { executionId, reviews } = await setting.ask(
    {
      nodes: [
        node('start', 'manual-trigger'),
        review('left'),
        review('right'),
        node('join', 'edit-fields', {
          rows: [
            { name: 'left', value: '{{ upstream.left.output.comment }}' },
            { name: 'right', value: '{{ upstream.right.output.comment }}' },
          ],
        }),
      ],
      edges: [
        edge('start', 'left'),
        edge('start', 'right'),
        edge('left', 'join', 'approved'),
        edge('right', 'join', 'approved'),
      ],
    },
    2,
  )
  expect(await setting.reaches(executionId, 'awaiting_approval')).toMatchObject({
    statusReason: 'waiting for 2 reviews: "left", "right"',
  })
  const of = (nodeId: string) => reviews.find((one) => one.nodeId === nodeId)?.reviewId
  await setting.decide(of('right'), { decision: 'approve', comment: 'R' })
  await expect
    .poll(async () => (await setting.poll(executionId)).statusReason, WAIT)
    .toBe('waiting for 1 review: "left"')
  await setting.decide(of('left'), { decision: 'approve', comment: 'L' })
  expect(await setting.output(executionId)).toEqual({ left: 'L', right: 'R' })
})

test('a review can be answered while another branch runs, and its following steps do not wait for that branch', async () => {
  const { executionId, reviews } = await setting.ask({
    nodes: [
      node('start', 'manual-trigger'),
      node('slow', 'ai-agent', {
        agentId: server.seed.agents.organization,
        message: '[[delay: 4000]] slow',
      }),
      review('ask'),
      shape('behind', '{{ upstream.ask.output.decision }}'),
      review('second'),
    ],
    edges: [
      edge('start', 'slow'),
      edge('start', 'ask'),
      edge('ask', 'behind', 'approved'),
      edge('behind', 'second'),
    ],
  })
  expect(await setting.poll(executionId)).toMatchObject({ status: 'running' })
  await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })
  const [second] = await setting.open(executionId)
  expect(second?.nodeId).toBe('second')
  expect(await setting.poll(executionId)).toMatchObject({ status: 'running' })
  expect(await setting.reaches(executionId, 'awaiting_approval')).toMatchObject({
    statusReason: 'waiting for 1 review: "second"',
  })
  await setting.decide(second?.reviewId, { decision: 'approve' })
  const output = (await setting.output(executionId)) as Record<string, unknown>
  expect(Object.keys(output).sort()).toEqual(['second', 'slow'])
})

test('a rejection without an edge fails the run immediately, although another branch runs', async () => {
  const { executionId, reviews } = await setting.ask({
    nodes: [
      node('start', 'manual-trigger'),
      node('slow', 'ai-agent', {
        agentId: server.seed.agents.organization,
        message: '[[delay: 60000]] slow',
      }),
      review('ask'),
    ],
    edges: [edge('start', 'slow'), edge('start', 'ask')],
  })
  await setting.decide(reviews[0]?.reviewId, { decision: 'reject' })
  const { error } = await setting.reaches(executionId, 'failed')
  expect(error).toMatch(/^Review ask \("ask"\) was rejected by /)
})

test('a review before an iteration, inside it and after the Loop: later approvals do not get the first one’s value', async () => {
  const workflowId = await setting.workflow({
    nodes: [
      node('start', 'manual-trigger'),
      review('before'),
      node('each', 'loop', { mode: 'list', source: '{{ trigger.items }}' }),
      review('ask', { title: 'Item {{ loop.item }}' }, 'each'),
      shape(
        'say',
        '{{ upstream.before.output.comment }} {{ loop.item }} {{ upstream.ask.output.comment }}',
        'each',
      ),
      review('after'),
      shape('end', '{{ upstream.each.output }}'),
    ],
    edges: [
      edge('start', 'before'),
      edge('before', 'each', 'approved'),
      edge('each', 'ask', 'body'),
      edge('ask', 'say', 'approved'),
      edge('each', 'after', 'done'),
      edge('after', 'end', 'approved'),
    ],
  })
  const executionId = await setting.start(workflowId, { items: ['a', 'b', 'c'] })
  const seen: string[] = []
  for (const comment of ['0', '1', '2', '3', '4']) {
    const [open] = await setting.open(executionId)
    seen.push(`${open?.nodeId} ${open?.path} ${open?.title}`)
    expect(await setting.decide(open?.reviewId, { decision: 'approve', comment })).toMatchObject({
      status: 200,
    })
    await expect
      .poll(async () => (await setting.open(executionId, comment === '4' ? 0 : 1))[0]?.reviewId, WAIT)
      .not.toBe(open?.reviewId)
  }
  expect(seen).toEqual([
    'before  About before',
    'ask each[0] Item a',
    'ask each[1] Item b',
    'ask each[2] Item c',
    'after  About after',
  ])
  expect(await setting.output(executionId)).toEqual({ v: [{ v: '0 a 1' }, { v: '0 b 2' }, { v: '0 c 3' }] })
})

test('a rejection inside a Loop names its iteration', async () => {
  const workflowId = await setting.workflow({
    nodes: [
      node('start', 'manual-trigger'),
      node('each', 'loop', { mode: 'list', source: '{{ trigger.items }}' }),
      review('ask', {}, 'each'),
    ],
    edges: [edge('start', 'each'), edge('each', 'ask', 'body')],
  })
  const executionId = await setting.start(workflowId, { items: ['a', 'b'] })
  const [first] = await setting.open(executionId)
  await setting.decide(first?.reviewId, { decision: 'approve' })
  await expect.poll(async () => (await setting.open(executionId))[0]?.path, WAIT).toBe('each[1]')
  const [second] = await setting.open(executionId)
  await setting.decide(second?.reviewId, { decision: 'reject', comment: 'Enough' })
  const { error } = await setting.reaches(executionId, 'failed')
  expect(error).toMatch(/^Review ask \("ask"\) in each\[1\] was rejected by .*: Enough$/)
})

test('a skipped branch opens no review, and the run continues', async () => {
  const workflowId = await setting.workflow({
    nodes: [
      node('start', 'manual-trigger'),
      node('big', 'if-else', { conditions: [{ left: '{{ trigger.n }}', op: 'gt', right: 10 }] }),
      review('ask'),
      shape('end', 'done'),
    ],
    edges: [
      edge('start', 'big'),
      edge('big', 'ask', 'true'),
      edge('big', 'end', 'false'),
      edge('ask', 'end', 'approved'),
    ],
  })
  const executionId = await setting.start(workflowId, { n: 1 })
  expect(await setting.output(executionId)).toEqual({ v: 'done' })
  expect(await setting.reviews(executionId)).toEqual([])
})

test('a cancel withdraws open reviews: they cannot be answered, and the slot is free', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph())
  await server.call(`POST /api/v1/workflow-jobs/${executionId}/cancel`)
  expect(await setting.reviews(executionId)).toMatchObject([{ status: 'withdrawn', decision: null }])
  expect(await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })).toMatchObject({
    status: 409,
    body: { error: 'run_not_active' },
  })
  expect(await setting.poll(executionId)).toMatchObject({ status: 'cancelled' })
})

test('the failure of another branch withdraws open reviews', async () => {
  const workflowId = await setting.workflow({
    nodes: [node('start', 'manual-trigger'), review('ask'), review('other')],
    edges: [edge('start', 'ask'), edge('start', 'other')],
  })
  const executionId = await setting.start(workflowId)
  const open = await setting.open(executionId, 2)
  await setting.decide(open.find(({ nodeId }) => nodeId === 'other')?.reviewId, { decision: 'reject' })
  await setting.reaches(executionId, 'failed')
  const statuses = (await setting.reviews(executionId)).map(({ nodeId, status }) => `${nodeId} ${status}`)
  expect(statuses.sort()).toEqual(['ask withdrawn', 'other rejected'])
})

test('a review of a paused run can be answered, and the run continues when it is resumed', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph())
  await setting.reaches(executionId, 'awaiting_approval')
  await server.call(`POST /api/v1/workflow-jobs/${executionId}/pause`)
  expect(await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })).toMatchObject({ status: 200 })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await setting.poll(executionId)).toMatchObject({ status: 'paused' })
  expect(await server.call(`POST /api/v1/workflow-jobs/${executionId}/resume`)).toMatchObject({
    status: 200,
    body: { status: 'running' },
  })
  expect(await setting.output(executionId)).toMatchObject({ went: 'approved' })
})

test('a run that is paused and resumed without an answer keeps waiting', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph())
  await setting.reaches(executionId, 'awaiting_approval')
  await server.call(`POST /api/v1/workflow-jobs/${executionId}/pause`)
  expect(await server.call(`POST /api/v1/workflow-jobs/${executionId}/resume`)).toMatchObject({
    body: { status: 'awaiting_approval' },
  })
  await setting.decide(reviews[0]?.reviewId, { decision: 'approve' })
  expect(await setting.output(executionId)).toMatchObject({ went: 'approved' })
})

test('a failed title opens no review', async () => {
  const { executionId } = await setting.ask(reviewGraph({ title: '{{ trigger.nope }}' }), 0)
  const { error } = await setting.reaches(executionId, 'failed')
  expect(error).toContain('trigger.nope')
  expect(await setting.reviews(executionId)).toEqual([])
})
