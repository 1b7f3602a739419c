import { TestClock } from '@troupe/agents/testing/test-clock'
import { DeliveryId, newId, WorkflowRunId } from '@troupe/contract'
import { listDeliveries, replayDelivery } from '@troupe/operations/triggers/list-deliveries'
import { dedupeKeyOf } from '@troupe/operations/webhooks/start-delivery'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { hookGraph, type SeededWebhook, seedWebhook, signedHeaders } from '@troupe/test-kit/seed-webhook'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const webhook = (config: Record<string, unknown> = {}): Promise<SeededWebhook> => {
  const { organizationId } = server.seed
  return seedWebhook(server.context, { organizationId, projectId: null, graph: hookGraph(config) })
}

async function call(
  { path, signingSecret }: SeededWebhook,
  body: string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const sent = { ...signedHeaders(signingSecret, body), 'content-type': 'application/json', ...headers }
  return server.call(`POST ${path}`, { key: null, headers: sent, body })
}

/** A current delivery, with a run. */
const EARLIER = {
  receivedAt: new Date(),
  status: 202,
  reason: null,
  executionId: newId(WorkflowRunId),
  ip: null,
  headers: {},
  body: '{}',
  bodyBytes: 2,
}

const executionOf = ({ body }: TestAnswer) => (body as { executionId: string }).executionId
const scope = () => ({ organizationId: server.seed.organizationId, projectId: null })

async function deliveriesOf({ workflowId }: SeededWebhook, limit = 100) {
  await server.context.webhooks.recorder.flush()
  return listDeliveries(server.context.database, scope(), workflowId, { limit })
}

async function runsOf({ workflowId }: SeededWebhook): Promise<number> {
  const { data } = await deliveriesOf({ workflowId } as SeededWebhook)
  return new Set(data.flatMap(({ executionId }) => executionId ?? [])).size
}

describe('a trigger that answers repeated calls once', () => {
  test.for(['idempotency-key', 'webhook-id'])('recognizes them by the header %s', async (header) => {
    const hook = await webhook({ rejectDuplicates: true })
    const first = await call(hook, '{"n":1}', { [header]: 'evt-1' })
    const again = await call(hook, '{"n":2}', { [header]: 'evt-1' })
    const other = await call(hook, '{"n":1}', { [header]: 'evt-2' })
    expect([first.status, again.status, other.status]).toEqual([202, 202, 202])
    expect(executionOf(again)).toBe(executionOf(first))
    expect(executionOf(other)).not.toBe(executionOf(first))
  })

  test('recognizes them by their signature if they have no id', async () => {
    const hook = await webhook({ rejectDuplicates: true })
    const headers = signedHeaders(hook.signingSecret, '{}')
    const [first, again] = [await call(hook, '{}', headers), await call(hook, '{}', headers)]
    expect(executionOf(again)).toBe(executionOf(first))
    // A different second than that of the first signature.
    const other = signedHeaders(hook.signingSecret, '{}', Number(headers['x-service-timestamp']) - 1)
    expect(executionOf(await call(hook, '{}', other))).not.toBe(executionOf(first))
  })

  test('starts one run for fifty concurrent ones', async () => {
    const hook = await webhook({ rejectDuplicates: true })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call(hook, `{"n":${n}}`, { 'idempotency-key': 'evt' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 202))
    expect(new Set(answers.map(executionOf)).size).toBe(1)
  })

  test('forgets them after ten minutes', async () => {
    const clock = new TestClock()
    clock.advance(10 * 60_000 + 1_000)
    await using later = await startTestServer({ overrides: { database: server.context.database, clock } })
    const { organizationId } = later.seed
    const graph = hookGraph({ rejectDuplicates: true })
    const sameBox = { database: server.context.database, secretBox: later.context.secretBox }
    const hook = await seedWebhook(sameBox, { organizationId, projectId: null, graph })
    const claim = { id: newId(DeliveryId), organizationId, workflowId: hook.workflowId, ...EARLIER }
    await server.context.database.transaction(async ({ write }) => {
      await write.webhooks.claim(claim, dedupeKeyOf({ 'idempotency-key': 'evt' }, null) ?? '', 0)
    })
    const headers = signedHeaders(hook.signingSecret, '{}', Math.floor(Date.now() / 1000) + 601)
    const answer = await later.call(`POST ${hook.path}`, {
      key: null,
      headers: { ...headers, 'idempotency-key': 'evt' },
      body: '{}',
    })
    expect([answer.status, executionOf(answer)]).toEqual([
      202,
      expect.not.stringContaining(EARLIER.executionId),
    ])
  })

  test('does not remember one that the ceiling rejected', async () => {
    const { database } = server.context
    const organizationId = server.seed.otherOrganizationId
    const graph = {
      nodes: [
        node('hook', 'http-request', { rejectDuplicates: true }),
        node('ask', 'human-review', { title: 'T' }),
      ],
      edges: [edge('hook', 'ask')],
    }
    const hook = await seedWebhook(server.context, { organizationId, projectId: null, graph })
    const organization = await database.read.organizations.byId(organizationId)
    if (!organization) throw new Error('no organization')
    const setCeiling = (concurrentRuns: number) =>
      database.transaction(({ write }) => write.organizations.put({ ...organization, concurrentRuns }))
    await setCeiling(1)
    expect((await call(hook, '{}', { 'idempotency-key': 'a' })).status).toBe(202)
    expect((await call(hook, '{}', { 'idempotency-key': 'b' })).status).toBe(429)
    await setCeiling(5)
    const later = await call(hook, '{}', { 'idempotency-key': 'b' })
    expect(later.status).toBe(202)
  })
})

test('two equal calls in one second are two runs unless deduplication is on', async () => {
  const hook = await webhook()
  const headers = { ...signedHeaders(hook.signingSecret, '{}'), 'idempotency-key': 'evt' }
  await call(hook, '{}', headers)
  await call(hook, '{}', headers)
  expect(await runsOf(hook)).toBe(2)
})

describe('the log of deliveries', () => {
  test('lists the call, its outcome and the reason', async () => {
    const hook = await webhook()
    const accepted = await call(hook, '{"orderId":"A-1"}', { 'x-event': 'order.created' })
    await call(hook, '{}', { 'x-service-signature': 'f'.repeat(64) })
    await call(hook, '{broken')
    const { data } = await deliveriesOf(hook)
    expect(data.map(({ status, reason, executionId }) => [status, reason, executionId])).toEqual([
      [400, expect.stringContaining('JSON'), null],
      [401, 'X-Service-Signature does not match the body and the signing secret.', null],
      [202, null, executionOf(accepted)],
    ])
    expect(data[2]).toMatchObject({ bodyBytes: 17, headers: { 'x-event': 'order.created' } })
  })

  test('masks likely credentials', async () => {
    const hook = await webhook()
    await call(hook, '{}', {
      'x-api-key': server.seed.keys.organization,
      authorization: 'Bearer secret-of-somebody',
      cookie: 'session=1',
      'x-hub-signature-256': 'sha256=abc',
    })
    const text = JSON.stringify(await deliveriesOf(hook))
    expect(text).not.toContain(server.seed.keys.organization)
    for (const secret of ['secret-of-somebody', 'session=1', 'sha256=abc', hook.signingSecret, hook.token]) {
      expect(text).not.toContain(secret)
    }
  })

  test('keeps the last hundred calls', async () => {
    const hook = await webhook()
    for (let n = 0; n < 3; n += 1) {
      await Promise.all(Array.from({ length: 40 }, (_, at) => call(hook, `{"n":${n * 40 + at}}`)))
      await server.context.webhooks.recorder.flush()
    }
    expect((await deliveriesOf(hook, 200)).data).toHaveLength(100)
  })

  test('returns a delivery to the editor completely or not at all', async () => {
    const hook = await webhook()
    await call(hook, '{"orderId":"A-1"}')
    await call(hook, JSON.stringify({ text: 'x'.repeat(100_000) }))
    const { data } = await deliveriesOf(hook)
    const [long, short] = await Promise.all(
      data.map(({ deliveryId }) =>
        replayDelivery(server.context.database, scope(), hook.workflowId, deliveryId),
      ),
    )
    expect(short).toMatchObject({ payload: { orderId: 'A-1' }, isComplete: true })
    expect(long).toMatchObject({ payload: null, isComplete: false })
  })

  test('is of one organization', async () => {
    const hook = await webhook()
    await call(hook, '{}')
    const { data } = await deliveriesOf(hook)
    const foreign = { organizationId: server.seed.otherOrganizationId, projectId: null }
    await expect(
      replayDelivery(server.context.database, foreign, hook.workflowId, data[0]?.deliveryId ?? ''),
    ).rejects.toMatchObject({ code: 'workflow_not_found' })
  })
})
