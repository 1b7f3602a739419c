import { randomUUID } from 'node:crypto'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { hookGraph, type SeededWebhook, seedWebhook, signedHeaders } from '@troupe/test-kit/seed-webhook'
import type { WorkflowSeed } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function webhook(seed: Partial<WorkflowSeed> = {}): Promise<SeededWebhook> {
  const { organizationId } = server.seed
  return seedWebhook(server.context, { organizationId, projectId: null, ...seed })
}

/** A signed call; given headers take precedence. */
function call(
  { path, signingSecret }: SeededWebhook,
  body: string | Buffer = '{}',
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const sent = { ...signedHeaders(signingSecret, body), ...headers }
  return server.app.inject({ method: 'POST', url: path, headers: sent, payload: body }).then((response) => ({
    status: response.statusCode,
    headers: response.headers as TestAnswer['headers'],
    body: response.json(),
  }))
}

const executionOf = ({ body }: TestAnswer) => (body as { executionId: string }).executionId

/** The result of the run that a call started. */
async function resultOf(
  answer: TestAnswer,
): Promise<{ status: string; output: unknown; error: string | null }> {
  expect(answer.status).toBe(202)
  for (;;) {
    const { status, body } = await server.call(`GET /api/v1/workflow-jobs/${executionOf(answer)}/result`)
    if (status === 200) return body as { status: string; output: unknown; error: string | null }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const NOBODY = { 'x-service-signature': '0'.repeat(64) }

describe('a call that proves itself', () => {
  test('is answered 202 with the id of its run and nothing else', async () => {
    const answer = await call(await webhook(), '{"orderId":"A-1"}', { 'content-type': 'application/json' })
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ executionId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '100000' })
  })

  test.for<[string, string, unknown]>([
    ['an object', '{"orderId":"A-1"}', { orderId: 'A-1' }],
    ['an empty body', '', {}],
    ['a list', '[1,2]', [1, 2]],
    ['a text', '"hello"', 'hello'],
    ['null', 'null', null],
  ])('binds %s to trigger.body, and no header', async ([, body, expected]) => {
    expect(await resultOf(await call(await webhook(), body))).toMatchObject({
      status: 'completed',
      output: { body: expected },
    })
  })

  test('keeps all digits of a number that a double would change, as text', async () => {
    const body = '{"id":8202522731445525542,"amounts":[0.1,1e3,12345678901234567.89]}'
    expect(await resultOf(await call(await webhook(), body))).toMatchObject({
      output: { body: { id: '8202522731445525542', amounts: [0.1, 1000, '12345678901234567.89'] } },
    })
  })

  test('may have any content type, or none: only the bytes count', async () => {
    const hook = await webhook()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      expect((await call(hook, '{"a":1}', { 'content-type': type })).status).toBe(202)
    }
  })

  test('may come with a key instead of a signature, by either header', async () => {
    const hook = await webhook({ projectId: server.seed.projectId })
    const time = { 'x-service-timestamp': String(Math.floor(Date.now() / 1000)) }
    for (const headers of [
      { 'x-api-key': server.seed.keys.organization },
      { authorization: `Bearer ${server.seed.keys.project}` },
    ]) {
      const answer = await server.call(`POST ${hook.path}`, {
        key: null,
        headers: { ...time, ...headers },
        body: { by: 'key' },
      })
      expect(await resultOf(answer)).toMatchObject({ output: { body: { by: 'key' } } })
    }
  })

  test('is checked against the declared fields of the trigger, by its body', async () => {
    const fields = [{ name: 'orderId', type: 'string', required: true }]
    const hook = await webhook({ graph: hookGraph({ fields }) })
    expect(await resultOf(await call(hook, '{"orderId":"A-1"}'))).toMatchObject({ status: 'completed' })
    for (const body of ['{"orderId":7}', '[]', '']) {
      const { status, error } = await resultOf(await call(hook, body))
      expect([status, error]).toEqual(['failed', expect.stringContaining('"orderId"')])
    }
  })

  test('starts a graph without an HTTP Request by all of its triggers', async () => {
    const graph = {
      nodes: [
        node('start', 'manual-trigger'),
        node('say', 'edit-fields', { rows: [{ name: 'ok', value: true, mode: 'fixed' }] }),
      ],
      edges: [edge('start', 'say')],
    }
    expect(await resultOf(await call(await webhook({ graph }), '{}'))).toMatchObject({ output: { ok: true } })
  })
})

describe('401', () => {
  test('is the same body for every kind of failure', async () => {
    const hook = await webhook()
    const late = signedHeaders(hook.signingSecret, '{}', Math.floor(Date.now() / 1000) - 400)
    const answers = await Promise.all([
      call(hook, '{}', NOBODY),
      call(hook, '{}', late),
      call(hook, '{}', { 'x-service-timestamp': 'soon' }),
      server.call(`POST ${hook.path}`, { key: null, body: {} }),
      server.call(`POST ${hook.path}`, { key: server.seed.keys.organization, body: {} }),
      server.call(`POST ${hook.path}`, { key: null, body: 'not json at all' }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ error: 'unauthorized', message: 'The request could not be authenticated.' })
    }
  })

  test('is the response for keys that may not see the workflow', async () => {
    const hook = await webhook({ projectId: server.seed.otherProjectId })
    const time = { 'x-service-timestamp': String(Math.floor(Date.now() / 1000)) }
    const { keys } = server.seed
    for (const key of [keys.project, keys.otherOrganization, keys.expired, keys.revoked]) {
      const answer = await server.call(`POST ${hook.path}`, { key, headers: time, body: {} })
      expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ error: 'unauthorized' })])
    }
  })

  test('precedes the parsing of the body', async () => {
    expect((await call(await webhook(), '{broken', NOBODY)).status).toBe(401)
  })
})

describe('404', () => {
  test('is the same body for every unknown token', async () => {
    const hook = await webhook()
    const other = await webhook({ organizationId: server.seed.otherOrganizationId })
    const unpublished = await webhook()
    await server.context.database.transaction(({ write }) =>
      write.workflows.unpublish(server.seed.organizationId, unpublished.workflowId),
    )
    const deleted = await webhook()
    await server.context.database.transaction(({ write }) =>
      write.workflows.softDelete(server.seed.organizationId, deleted.workflowId),
    )
    const path = (workflowId: string, token: string) => `/api/v1/workflows/${workflowId}/trigger/${token}`
    const paths = [
      path(hook.workflowId, 'x'.repeat(43)),
      path(randomUUID(), hook.token),
      path(other.workflowId, hook.token),
      path('no-uuid', hook.token),
      path(hook.workflowId, 'x'.repeat(5_000)),
      path(hook.workflowId, '%E0%A4%A'),
      path('%zz', hook.token),
      unpublished.path,
      deleted.path,
    ]
    const answers = await Promise.all(paths.map((url) => call({ ...hook, path: url })))
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, answers[0]?.body])
    }
  })

  test('precedes authentication, so that it does not reveal which tokens exist', async () => {
    const hook = await webhook()
    const answer = await call({ ...hook, path: `${hook.path}x` }, '{}', NOBODY)
    expect(answer.status).toBe(404)
  })
})

describe('400', () => {
  test.for<[string, string | Buffer, Record<string, string>]>([
    ['text that is no JSON', 'orderId=A-1', {}],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
    ['a compressed body, which nobody inflates', '{}', { 'content-encoding': 'gzip' }],
    ['a key that reaches for a prototype', '{"__proto__":{"a":1}}', {}],
    ['a body nested 10,000 deep', '['.repeat(10_000), {}],
  ])('is the response for %s, once the sender is authenticated', async ([, body, headers]) => {
    const answer = await call(await webhook(), body, headers)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'validation_error', message: expect.any(String) })
  })
})

describe('413', () => {
  const TOO_LONG = `"${'x'.repeat(1024 * 1024)}"`

  test('is the response for a body over 1 MB by its announced length, before the token is read', async () => {
    const hook = await webhook()
    const answer = await call({ ...hook, path: `${hook.path}x` }, TOO_LONG)
    expect([answer.status, answer.body]).toEqual([
      413,
      expect.objectContaining({ error: 'payload_too_large' }),
    ])
  })

  test('is not the response for a body of exactly 1 MB', async () => {
    const body = `"${'x'.repeat(1024 * 1024 - 2)}"`
    expect((await call(await webhook(), body)).status).toBe(202)
  })
})

describe('429', () => {
  test('is the response for an organization at its ceiling, with the record of the rejected run', async () => {
    const { database } = server.context
    const organizationId = server.seed.otherOrganizationId
    const review = {
      nodes: [node('hook', 'http-request'), node('ask', 'human-review', { title: 'T' })],
      edges: [edge('hook', 'ask')],
    }
    const hook = await webhook({ organizationId, graph: review })
    const organization = await database.read.organizations.byId(organizationId)
    if (!organization) throw new Error('no organization')
    await database.transaction(({ write }) => write.organizations.put({ ...organization, concurrentRuns: 1 }))
    expect((await call(hook)).status).toBe(202)
    const answer = await call(hook)
    expect([answer.status, answer.body]).toEqual([
      429,
      expect.objectContaining({ error: 'concurrency_limit_reached', executionId: expect.any(String) }),
    ])
    const job = await server.call(`GET /api/v1/workflow-jobs/${executionOf(answer)}`, {
      key: server.seed.keys.otherOrganization,
    })
    expect(job.body).toMatchObject({ status: 'concurrency_limit_reached' })
  })

  test('is the response for a call over the limit of its key', async () => {
    const hook = await webhook()
    const headers = { 'x-service-timestamp': String(Math.floor(Date.now() / 1000)) }
    const send = () => server.call(`POST ${hook.path}`, { key: server.seed.keys.limited, headers, body: {} })
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await send()).status)
    expect(statuses).toEqual([202, 202, 202, 429])
    const { headers: told, body } = await send()
    expect(told['retry-after']).toBe(String((body as { retry_after: number }).retry_after))
    expect(body).toMatchObject({ error: 'rate_limit_exceeded' })
  })

  test('is the response for a sender with 60 failures in a minute, and for no other', async () => {
    const [hook, other] = [await webhook(), await webhook()]
    const statuses = []
    for (let n = 0; n < 61; n += 1) statuses.push((await call(hook, '{}', NOBODY)).status)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401))
    expect(statuses[60]).toBe(429)
    expect((await call(hook)).status).toBe(429)
    expect((await call(other)).status).toBe(202)
  })
})
