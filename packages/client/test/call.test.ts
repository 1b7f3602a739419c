import { expect, expectTypeOf, test } from 'vitest'
import { TroupeError, unwrap } from '../src/call/troupe-error.ts'
import { createClient } from '../src/create-client.ts'
import { AGENT_ID, RESULT, RUN_ID } from './run-fixture.ts'
import { json, page, scriptedServer } from './scripted-server.ts'

const apiKey = 'trp_a-very-secret-key'
const agent = { agentId: AGENT_ID, name: 'Writer' }

test('a call sends the method, path, body and key that the contract names', async () => {
  await using server = await scriptedServer(json(201, agent))
  const client = createClient({ baseUrl: `${server.baseUrl}/`, apiKey, headers: { 'x-trace': 't' } })
  const created = await client.agents.create({ name: 'Writer' })
  expect(created).toMatchObject({ ok: true, status: 201, data: agent })
  const [request] = server.requests
  expect(request).toMatchObject({ method: 'POST', url: '/api/v1/agents', body: '{"name":"Writer"}' })
  expect(request?.headers).toMatchObject({
    'x-api-key': apiKey,
    'x-trace': 't',
    'content-type': 'application/json',
    accept: 'application/json',
  })
})

test('a base URL with a path prefix is kept', async () => {
  await using server = await scriptedServer(json(200, { data: [] }))
  await createClient({ baseUrl: `${server.baseUrl}/troupe/`, apiKey }).agents.llmProviders()
  expect(server.requests[0]?.url).toBe('/troupe/api/v1/agents/llm-providers')
})

test('a query is encoded and absent values are omitted', async () => {
  await using server = await scriptedServer(json(200, { data: [], total: 0, page: 1, limit: 50 }))
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  await agents.list()
  await agents.list({ limit: 50, status: 'draft' })
  expect(server.requests.map((request) => request.url)).toEqual([
    '/api/v1/agents',
    '/api/v1/agents?limit=50&status=draft',
  ])
})

test('path parameters are encoded, so that an id cannot name another route', async () => {
  await using server = await scriptedServer(json(200, { cancelled: true, runId: RUN_ID }))
  await createClient({ baseUrl: server.baseUrl, apiKey }).agents.cancelRun('a/../b?c', '$& #')
  expect(server.requests[0]).toMatchObject({
    method: 'DELETE',
    url: '/api/v1/agents/a%2F..%2Fb%3Fc/runs/%24%26%20%23',
  })
})

test.for(['', '.', '..'])('the id "%s" is refused without a request', async (id) => {
  await using server = await scriptedServer(json(200, agent))
  const got = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.get(id)
  expect(got).toMatchObject({ ok: false, status: null, error: { code: 'invalid_request' } })
  expect(server.requests).toEqual([])
})

test('an error answer keeps its code, its failures and its status', async () => {
  const errors = [{ path: 'config.model', message: 'must be an object' }]
  await using server = await scriptedServer(
    json(400, { error: 'validation_error', message: 'Not valid.', errors }),
  )
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.update(AGENT_ID, {
    name: 'x',
  })
  expect(result).toMatchObject({
    ok: false,
    status: 400,
    error: { code: 'validation_error', message: 'Not valid.', errors },
  })
})

test('the code of a failure is typed by the operation', () => {
  const { agents } = createClient({ baseUrl: 'http://localhost', apiKey })
  type CodeIn<C extends (...args: never[]) => unknown> =
    Extract<Awaited<ReturnType<C>>, { ok: false }> extends {
      error: { code: infer Code }
    }
      ? Code
      : never
  expectTypeOf<'execution_timeout'>().toExtend<CodeIn<typeof agents.run>>()
  expectTypeOf<'network_error'>().toExtend<CodeIn<typeof agents.get>>()
  expectTypeOf<'execution_timeout'>().not.toExtend<CodeIn<typeof agents.get>>()
  expectTypeOf<'nonsense'>().not.toExtend<CodeIn<typeof agents.get>>()
})

test('a code that the operation does not declare is reported as unexpected, with the server’s word for it', async () => {
  await using server = await scriptedServer(json(418, { error: 'teapot', message: 'Short and stout.' }))
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).organization.limits()
  expect(result).toMatchObject({
    ok: false,
    status: 418,
    error: { code: 'unexpected_error', serverCode: 'teapot', message: 'Short and stout.' },
  })
})

test('the rate limit headers are read, with and without a limit of the key', async () => {
  const organization = {
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': '1700000000',
  }
  await using server = await scriptedServer(
    json(
      200,
      { data: [] },
      { ...organization, 'x-ratelimit-key-limit': '60', 'x-ratelimit-key-remaining': '0' },
    ),
    json(200, { data: [] }, organization),
    json(200, { data: [] }),
  )
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  const org = { limit: 1000, remaining: 7, resetAt: 1_700_000_000 }
  expect((await agents.llmProviders()).rateLimit).toEqual({ ...org, key: { limit: 60, remaining: 0 } })
  expect((await agents.llmProviders()).rateLimit).toEqual({ ...org, key: null })
  expect((await agents.llmProviders()).rateLimit).toBeNull()
})

test('a rate limit error has the time of the next attempt', async () => {
  await using server = await scriptedServer(
    json(
      429,
      { error: 'rate_limit_exceeded', message: 'Slow down.', retry_after: 12 },
      { 'retry-after': '12' },
    ),
    json(503, { error: 'service_unavailable', message: 'Starting.' }, { 'retry-after': '3' }),
  )
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  expect(await agents.list()).toMatchObject({ error: { code: 'rate_limit_exceeded', retryAfter: 12 } })
  expect(await agents.list()).toMatchObject({ error: { code: 'service_unavailable', retryAfter: 3 } })
})

test('a proxy’s page is an invalid response with its status', async () => {
  await using server = await scriptedServer(page(502))
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.get(AGENT_ID)
  expect(result).toMatchObject({ ok: false, status: 502, error: { code: 'invalid_response' } })
})

test.for([
  '{"agentId":"1',
  '',
  '[]',
  'null',
  '"text"',
])('200 with %j is an invalid response', async (body) => {
  await using server = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  })
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.get(AGENT_ID)
  expect(result).toMatchObject({ ok: false, status: 200, error: { code: 'invalid_response' } })
})

test('a redirect is not followed, so that the key is sent nowhere else', async () => {
  await using other = await scriptedServer(json(200, agent))
  await using server = await scriptedServer((response) => {
    response.writeHead(307, { location: `${other.baseUrl}/api/v1/agents` })
    response.end()
  })
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.list()
  expect(result).toMatchObject({ ok: false, status: 307, error: { code: 'invalid_response' } })
  expect(other.requests).toEqual([])
})

test('an unreachable server is a network error that names the reason and not the key', async () => {
  const server = await scriptedServer(json(200, {}))
  await server[Symbol.asyncDispose]()
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.list()
  expect(result).toMatchObject({ ok: false, status: null, error: { code: 'network_error' } })
  expect(JSON.stringify(result)).toContain('ECONNREFUSED')
  expect(JSON.stringify(result)).not.toContain(apiKey)
})

test('a connection that breaks inside the body is a network error', async () => {
  await using server = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"agentId"', () => response.destroy())
  })
  const result = await createClient({ baseUrl: server.baseUrl, apiKey }).agents.get(AGENT_ID)
  expect(result).toMatchObject({ ok: false, status: 200, error: { code: 'network_error' } })
})

test('a silent server is given up after the time limit, including inside the body', async () => {
  await using server = await scriptedServer(
    () => undefined,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{')
    },
  )
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey, timeoutMs: 100 })
  expect(await agents.list()).toMatchObject({ ok: false, status: null, error: { code: 'timeout' } })
  expect(await agents.list({}, { timeoutMs: 1_000 })).toMatchObject({
    ok: false,
    status: 200,
    error: { code: 'timeout' },
  })
})

test('the caller’s signal aborts a call, before and while it runs', async () => {
  await using server = await scriptedServer(() => undefined)
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  expect(await agents.list({}, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'aborted' } })
  const controller = new AbortController()
  const pending = agents.run(AGENT_ID, { message: 'Hi' }, { signal: controller.signal })
  await expect.poll(() => server.requests.length).toBe(1)
  controller.abort()
  expect(await pending).toMatchObject({ ok: false, error: { code: 'aborted' } })
  await expect.poll(() => server.openConnections()).toBe(0)
})

test('an idempotency key is sent as its header', async () => {
  await using server = await scriptedServer(json(200, RESULT))
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  await agents.run(AGENT_ID, { message: 'Hi' }, { idempotencyKey: 'order-7' })
  expect(server.requests[0]?.headers['idempotency-key']).toBe('order-7')
})

test('a header or a body that cannot be sent is refused without its value', async () => {
  await using server = await scriptedServer(json(200, RESULT))
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  const header = await agents.run(AGENT_ID, { message: 'Hi' }, { idempotencyKey: 'hidden\nvalue' })
  expect(header).toMatchObject({ ok: false, error: { code: 'invalid_request' } })
  expect(JSON.stringify(header)).not.toContain('hidden')
  const body = await agents.run(AGENT_ID, { message: 'Hi', tool_context: { n: 1n } })
  expect(body).toMatchObject({ ok: false, error: { code: 'invalid_request' } })
  expect(server.requests).toEqual([])
})

test('unwrap returns the data, or throws the failure with every invalid field in its message', async () => {
  const errors = [{ path: 'name', message: 'is required' }]
  await using server = await scriptedServer(
    json(200, agent),
    json(400, { error: 'validation_error', message: 'Not valid.', errors }),
  )
  const { agents } = createClient({ baseUrl: server.baseUrl, apiKey })
  expect(await unwrap(agents.get(AGENT_ID))).toEqual(agent)
  const thrown = await unwrap(agents.get(AGENT_ID)).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(TroupeError)
  expect(thrown).toMatchObject({ code: 'validation_error', status: 400, errors, retryAfter: null })
  expect(String(thrown)).toBe('TroupeError: validation_error: Not valid. (name is required)')
})

test.for([
  { baseUrl: 'localhost:3000', apiKey },
  { baseUrl: '/api', apiKey },
  { baseUrl: 'http://user:pass@localhost', apiKey },
  { baseUrl: 'http://localhost?x=1', apiKey },
  { baseUrl: 'http://localhost', apiKey: '' },
  { baseUrl: 'http://localhost', apiKey: `${apiKey}\n` },
  { baseUrl: 'http://localhost', apiKey, timeoutMs: 0 },
])('options that can never work are refused immediately: %j', (options) => {
  expect(() => createClient(options)).toThrow(TypeError)
  expect(() => createClient(options)).not.toThrow(/secret|pass/)
})
