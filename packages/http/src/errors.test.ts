import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server[Symbol.asyncDispose]())

const shape = (answer: { status: number; body: unknown }) => [
  answer.status,
  (answer.body as { error: string }).error,
]
const post = (body: string, headers: Record<string, string> = {}) =>
  server.call('POST /api/v1/agents', { body, headers })

/** Sends raw bytes and reads until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('bodies', () => {
  test.each<[string, string, string]>([
    ['broken JSON', '{"name":', 'validation_error'],
    ['an empty body', '', 'validation_error'],
    ['a NUL character', '{"name":"a\\u0000b"}', 'validation_error'],
    ['a lone surrogate', '{"name":"\\ud800"}', 'validation_error'],
    ['__proto__', '{"name":"x","__proto__":{"a":1}}', 'validation_error'],
    ['constructor', '{"name":"x","constructor":{"prototype":{"a":1}}}', 'validation_error'],
    ['too deep', `{"name":"x","config":${'['.repeat(70)}${']'.repeat(70)}}`, 'validation_error'],
  ])('%s is 400', async (_name, body, code) => {
    expect(shape(await post(body))).toEqual([400, code])
  })

  test('the position of a bad character is named', async () => {
    const { body } = await post('{"name":"x","config":{"instructions":"a\\u0000"}}')
    expect(body).toMatchObject({
      errors: [{ path: 'config.instructions', message: 'must not contain NUL characters' }],
    })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('%s is 415', async (type) =>
    expect(shape(await post('{"name":"x"}', { 'content-type': type }))).toEqual([
      415,
      'unsupported_media_type',
    ]))

  test('a charset is accepted', async () => {
    expect((await post('{"name":"x"}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
      201,
    )
  })

  test.each([
    [
      { 'content-encoding': 'gzip' },
      'The body must be sent without compression: Content-Encoding is not supported.',
    ],
    [{ 'content-type': 'application/json; charset=latin1' }, 'The charset of the body must be utf-8.'],
    [{ 'content-type': 'text/plain' }, 'The Content-Type must be application/json.'],
  ])('%j is 415 with an error message', async (headers, message) => {
    expect(await post('{"name":"x"}', headers)).toMatchObject({
      status: 415,
      body: { error: 'unsupported_media_type', message },
    })
  })

  test('identity is not an encoding', async () => {
    expect((await post('{"name":"x"}', { 'content-encoding': 'identity' })).status).toBe(201)
  })

  test.each(['[]', 'null', '"x"'])('%s instead of an object is reported at the path body', async (body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body', message: 'must be an object' }] },
    })
  })

  test('a number that is not finite is 400 with its path', async () => {
    expect(
      (await post('{"name":"x","config":{"model":{"primary":{"temperature":1e999}}}}')).body,
    ).toMatchObject({
      errors: [{ path: 'config.model.primary.temperature', message: 'must be a finite number' }],
    })
  })

  test('413 names the limit', async () => {
    expect((await post(`{"name":"${'x'.repeat(1_100_000)}"}`)).body).toMatchObject({
      message: 'The request body is larger than 1 MB.',
    })
  })

  test('an invalid Idempotency-Key is reported under the name of the header', async () => {
    const answer = await server.call(`POST /api/v1/agents/${server.seed.agents.organization}/run`, {
      body: { message: 'hi' },
      headers: { 'idempotency-key': 'x'.repeat(300) },
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'Idempotency-Key', message: 'must have at most 255 characters' }] },
    })
  })

  test('more unknown keys than an answer lists do not hide that a closed body is invalid', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`unknown${at}`, 1]))
    const answer = await server.call('POST /api/v1/tools/test', { body: { tool: {}, name: 7, ...unknown } })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: 'The request is not valid. Only the first 200 failures are listed.',
        errors: expect.arrayContaining([{ path: 'unknown0', message: 'is not a known field' }]),
      },
    })
  })

  test('more than 1 MB is 413, announced or not', async () => {
    expect(shape(await post(`{"name":"${'x'.repeat(1_100_000)}"}`))).toEqual([413, 'payload_too_large'])
    const chunk = `${'x'.repeat(600_000)}`
    const answer = await raw(
      `POST /api/v1/agents HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.seed.keys.organization}\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
        `${(600_000).toString(16)}\r\n${chunk}\r\n${(600_000).toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413/)
    expect(answer).toContain('"error":"payload_too_large"')
  })
})

describe('routes', () => {
  test.each([
    'GET /api/v1/nothing',
    'POST /api/v1/agents/x/y/z',
    'GET /api/v2/agents',
    'GET /api',
  ])('%s is 404', async (target) => {
    expect(shape(await server.call(target))).toEqual([404, 'not_found'])
  })

  test.each([
    'GET /api/v1/agents/',
    'GET /api/v1/agents/?limit=5',
    'GET /api/v1/agents/llm-providers/',
    'PUT /api/v1/agents/',
    'POST /api/v1/agents//run',
  ])('%s, whose path has an additional slash, is 404 for the path', async (target) => {
    const { status, body } = await server.call(target, target.startsWith('GET') ? {} : { body: {} })
    expect(shape({ status, body } as never)).toEqual([404, 'not_found'])
    if (/\/(\?|$)/.test(target))
      expect(body).toMatchObject({ message: expect.stringContaining('do not end with a slash') })
  })

  test('fields that an operation does not have are listed in a header', async () => {
    const sent = await server.call('POST /api/v1/agents', { body: { name: 'A', sessionId: 'x', 'ä b': 1 } })
    expect([sent.status, sent.headers['x-ignored-fields']]).toEqual([201, 'sessionId, %C3%A4%20b'])
    const asked = await server.call('GET /api/v1/agents?limit=5&pageSize=7')
    expect(asked.headers['x-ignored-fields']).toBe('pageSize')
    expect((await server.call('GET /api/v1/agents?limit=5')).headers).not.toHaveProperty('x-ignored-fields')
  })

  // nginx has 4 KB for all headers of a response (proxy_buffer_size), Node's client 16 KB.
  test('the header for them is short however long and many they are', async () => {
    const long = Array.from({ length: 20 }, (_, n) => [`${n}${'名'.repeat(100)}`, 1])
    const sent = await server.call('POST /api/v1/agents', {
      body: { name: 'A', ...Object.fromEntries(long) },
    })
    const header = String(sent.headers['x-ignored-fields'])
    expect([sent.status, header.length <= 1_000, header.slice(-5)]).toEqual([201, true, ', ...'])
    expect(decodeURIComponent(header)).toMatch(/^\d名+, \.\.\.$/)
    const many = Array.from({ length: 20 }, (_, n) => [`unknownField${n}${'x'.repeat(40)}`, 1])
    const { headers } = await server.call('POST /api/v1/agents', {
      body: { name: 'A', ...Object.fromEntries(many) },
    })
    const names = String(headers['x-ignored-fields']).split(', ')
    expect(names.at(-1)).toBe('...')
    expect(names.slice(0, -1)).toEqual(many.slice(0, names.length - 1).map(([name]) => name))
    expect(names.length).toBeGreaterThan(15)
  })

  test('an unknown route is 404 for any body', async () => {
    expect(shape(await server.call('POST /api/v1/nothing', { body: '{broken' }))).toEqual([404, 'not_found'])
  })

  test.each([
    ['PATCH /api/v1/agents', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE /api/v1/agents/llm-providers', 'GET, HEAD, OPTIONS'],
    ['PUT /api/v1/agents/llm-providers', 'GET, HEAD, OPTIONS'],
    ['POST /api/v1/organizations/limits', 'GET, HEAD, OPTIONS'],
    ['GET /api/v1/agents/x/run', 'OPTIONS, POST'],
  ])('%s is 405 with Allow: %s', async (target, allow) => {
    const answer = await server.call(target, { body: '{broken' })
    expect(shape(answer)).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.allow).toBe(allow)
  })

  test('HEAD answers like GET without a body, OPTIONS with Allow', async () => {
    const head = await server.call('HEAD /api/v1/agents')
    expect([head.status, head.body]).toEqual([200, ''])
    const options = await server.call('OPTIONS /api/v1/agents')
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
    expect((await server.call('OPTIONS /api/v1/agents', { key: null })).status).toBe(401)
  })

  test('no origin is allowed to read across origins', async () => {
    const { headers } = await server.call('GET /api/v1/agents', { headers: { origin: 'https://evil.test' } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('bad URL encoding is 400', async () => {
    expect(shape(await server.call('GET /api/v1/agents/%zz'))).toEqual([400, 'validation_error'])
  })

  test('a very long URL is 414', async () => {
    expect(shape(await server.call(`GET /api/v1/agents?status=${'x'.repeat(9_000)}`))).toEqual([
      414,
      'uri_too_long',
    ])
  })
})

describe('malformed requests', () => {
  test('headers that are too large are 431', async () => {
    const answer = await raw(`GET /api/v1/agents HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('{"error":"headers_too_large","message":"The request headers are too large."}')
  })

  test('garbage is 400', async () => {
    const answer = await raw('HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"error":"validation_error"')
  })
})

describe('defects', () => {
  test('never leak', async () => {
    vi.spyOn(server.context.database.read.agents, 'page').mockRejectedValueOnce(
      new Error('SELECT secret FROM x'),
    )
    const answer = await server.call('GET /api/v1/agents')
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({ error: 'internal_error', message: 'An unexpected error occurred.' })
    expect(answer.headers['x-ratelimit-limit']).toBeDefined()
    expect(answer.headers['x-request-id']).toBeDefined()
  })

  test('an error with its own status is also a defect', async () => {
    const error = Object.assign(new Error('secret'), { statusCode: 418, code: 'X' })
    vi.spyOn(server.context.database.read.agents, 'page').mockRejectedValueOnce(error)
    expect(shape(await server.call('GET /api/v1/agents'))).toEqual([500, 'internal_error'])
  })
})

describe('headers', () => {
  test('the request id of the caller is returned if it is harmless', async () => {
    const id = async (given: string) =>
      (await server.call('GET /api/v1/agents', { headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ]
    expect(await id('abc-123')).toBe('abc-123')
    expect(await id('a b"}{')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await id('x'.repeat(200))).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('sniffing, framing and caching are disabled', async () => {
    const { headers } = await server.call('GET /api/v1/agents', { key: null })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
    })
  })
})
