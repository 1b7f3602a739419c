import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { McpConnection } from '../mcp-connection.ts'

// The rules come from the transport's specification:
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports and …/basic/lifecycle.

interface Asked {
  method: string
  headers: IncomingHttpHeaders
  /** The JSON-RPC method, or `answer` for the response to a request of the server; null without a body. */
  body: {
    id?: number
    method?: string
    params?: Record<string, unknown>
    result?: unknown
    error?: unknown
  } | null
}
type Answer = (asked: Asked, response: ServerResponse) => void

const asked: Asked[] = []
let answers: Record<string, Answer> = {}
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const one = {
    method: request.method ?? '',
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  }
  asked.push(one)
  const name = one.body?.method ?? (one.body === null ? one.method : 'answer')
  const answer = answers[name]
  if (answer) answer(one, response)
  else response.writeHead(202).end()
})

/** Responds to a request with JSON. */
const json =
  (result: object, headers: Record<string, string> = {}): Answer =>
  ({ body }, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id: body?.id, result }))
/** Responds to a request with lines of server-sent events, in which `$` stands for the request's id. */
const stream =
  (...lines: string[]): Answer =>
  ({ body }, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      .end(lines.map((line) => `${line.replaceAll('$', String(body?.id))}\n`).join(''))
const status =
  (code: number, body: object = {}, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

const SERVER = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
const opens = (version: string, headers = {}) => json({ protocolVersion: version, ...SERVER }, headers)
const DONE = '{"content":[{"type":"text","text":"done"}]}'
const MESSAGE = `data: {"jsonrpc":"2.0","id":$,"result":${DONE}}`

beforeEach(async () => {
  asked.length = 0
  answers = { initialize: opens('2025-11-25', { 'mcp-session-id': 's1' }), 'tools/call': stream(MESSAGE, '') }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const never = new AbortController().signal
const connect = () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return new McpConnection({ url, headers: { 'x-own': 'yes' }, secrets: [] }, globalThis.fetch)
}
const call = (connection: McpConnection, signal = never) => connection.call('a', { n: 1 }, signal)
const done = { ok: true, text: 'done' }
const names = () => asked.map(({ method, body }) => body?.method ?? (body === null ? method : 'answer'))

test.each([
  [{ 'x-own': 'yes' }, [], 'include'],
  [{}, ['secret'], 'include'],
  [{}, [], 'omit'],
] as const)('the headers %j and the secrets %j are recognised as carrying a credential or not', async (headers, secrets, said) => {
  const credentials = new Set<string | undefined>()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  await using connection = new McpConnection({ url, headers, secrets }, (input, init) => {
    credentials.add(init?.credentials)
    return globalThis.fetch(input, init)
  })
  expect(await call(connection)).toEqual(done)
  expect([...credentials]).toEqual([said])
})

describe('a session', () => {
  test('starts with initialize, and sends its id and version from then on until it is deleted', async () => {
    {
      await using connection = connect()
      expect(await call(connection)).toEqual(done)
    }
    expect(names()).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'DELETE'])
    expect(asked[0]?.body).toMatchObject({
      jsonrpc: '2.0',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'troupe' } },
    })
    expect(asked.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']])).toEqual([
      [undefined, undefined],
      ['s1', '2025-11-25'],
      ['s1', '2025-11-25'],
      ['s1', '2025-11-25'],
    ])
    expect(asked[2]?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-own': 'yes',
    })
  })

  test('without an id is not deleted', async () => {
    answers.initialize = opens('2025-06-18')
    {
      await using connection = connect()
      expect(await call(connection)).toEqual(done)
    }
    expect(names()).not.toContain('DELETE')
    expect(asked.at(-1)?.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18' })
  })

  test('is not opened with a server of another version', async () => {
    answers.initialize = opens('2031-01-01')
    await using connection = connect()
    expect(await call(connection)).toMatchObject({
      code: 'unavailable',
      message: 'The MCP server failed: It speaks version 2031-01-01 of MCP, which is not supported.',
    })
  })

  test.each<[string, Answer]>([
    // https://github.com/modelcontextprotocol/rust-sdk/issues/733
    [
      '404, as the specification demands',
      status(404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }),
    ],
    // https://github.com/modelcontextprotocol/typescript-sdk/blob/v1.x/src/examples/server/simpleStreamableHttp.ts
    [
      '400, as examples of the TypeScript SDK',
      status(400, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
      }),
    ],
  ])('that the server has forgotten is opened again, and the call repeated once: %s', async (_, forgotten) => {
    let sessions = 0
    answers.initialize = (one, response) => {
      sessions += 1
      opens('2025-11-25', { 'mcp-session-id': `s${sessions}` })(one, response)
    }
    answers['tools/call'] = (one, response) =>
      one.headers['mcp-session-id'] === 's1' && sessions > 0 && isForgotten
        ? forgotten(one, response)
        : stream(MESSAGE, '')(one, response)
    let isForgotten = false
    await using connection = connect()
    expect(await call(connection)).toEqual(done)
    isForgotten = true
    expect(await Promise.all([call(connection), call(connection)])).toEqual([done, done])
    expect(names().filter((name) => name === 'initialize')).toHaveLength(2)
  })

  test('that ends again immediately is reported, and not opened endlessly', async () => {
    answers['tools/call'] = status(404)
    await using connection = connect()
    expect(await call(connection)).toMatchObject({
      code: 'unavailable',
      message: 'The MCP server failed: Its session has ended.',
    })
    expect(names().filter((name) => name === 'tools/call')).toHaveLength(2)
  })

  test('that was not opened is opened again by the next call', async () => {
    const usual = answers.initialize
    answers.initialize = status(503)
    await using connection = connect()
    expect(await call(connection)).toMatchObject({ code: 'unavailable' })
    if (usual) answers.initialize = usual
    expect(await call(connection)).toEqual(done)
  })
})

describe('an answer', () => {
  test.each<[string, Answer]>([
    ['as JSON', json(JSON.parse(DONE))],
    ['as an event', stream(MESSAGE, '')],
    // https://github.com/anthropics/claude-ai-mcp/issues/154
    ['as JSON of another type', json(JSON.parse(DONE), { 'content-type': 'text/plain' })],
    ['with an id of another type', stream(MESSAGE.replace('$', '"$"'), '')],
    ['with CRLF and a byte order mark', stream(`\uFEFF${MESSAGE}\r`, '\r')],
    [
      'in several data lines',
      stream('event: message', 'data: {"jsonrpc":"2.0",', `data: "id":$,"result":${DONE}}`, ''),
    ],
    [
      'after notifications, comments, empty and other events',
      stream(
        ...[': hello', '', 'data:', '', 'event: other', 'data: nothing', ''],
        ...[
          'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}',
          '',
        ],
        ...['data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}', '', MESSAGE, ''],
      ),
    ],
    // Version 2025-03-26 allowed batches.
    [
      'in a batch',
      stream(`data: [{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":$,"result":${DONE}}]`, ''),
    ],
  ])('%s is read', async (_, answer) => {
    answers['tools/call'] = answer
    await using connection = connect()
    expect(await call(connection)).toEqual(done)
  })

  test('whose stream is closed early is resumed after the time set by the server (SEP-1699)', async () => {
    let resumed = 0
    let id: number | undefined
    answers['tools/call'] = ({ body }, response) => {
      id = body?.id
      stream('id: e1', 'retry: 60', 'data:', '')({ method: 'POST', headers: {}, body }, response)
    }
    answers.GET = (one, response) => {
      resumed += 1
      if (resumed === 1)
        stream('id: e2', 'data: {"jsonrpc":"2.0","method":"notifications/progress"}', '')(one, response)
      else stream(MESSAGE.replace('$', String(id)), '')(one, response)
    }
    await using connection = connect()
    const began = performance.now()
    expect(await call(connection)).toEqual(done)
    expect(performance.now() - began).toBeGreaterThanOrEqual(2 * 59)
    const gets = asked.filter(({ method }) => method === 'GET').map(({ headers }) => headers)
    expect(gets).toMatchObject([
      {
        'last-event-id': 'e1',
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-11-25',
        accept: 'text/event-stream',
      },
      { 'last-event-id': 'e2' },
    ])
  })

  const lost = (reason: string) => ({ code: 'unknown_outcome', message: expect.stringContaining(reason) })

  test.each<[string, Answer, Answer | null, string]>([
    [
      'without an id of an event',
      stream(': nothing', ''),
      null,
      'It closed the connection before it answered.',
    ],
    [
      'and is not resumed',
      stream('id: e1', 'retry: 50', 'data:', ''),
      status(405),
      'did not resume its answer: status 405.',
    ],
    [
      'to be asked much later',
      stream('id: e1', 'retry: 3600000', 'data:', ''),
      null,
      'requested a retry after 3600 s.',
    ],
    ['and is accepted only', status(202), null, 'Its answer does not follow the protocol.'],
  ])('that is closed before it %s is lost immediately, not refused', async (_, answer, resumed, reason) => {
    answers['tools/call'] = answer
    if (resumed) answers.GET = resumed
    await using connection = connect()
    expect(await call(connection)).toMatchObject(lost(reason))
  })

  test('whose connection breaks is resumed, or lost', async () => {
    let isResumable = false
    answers['tools/call'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(isResumable ? 'retry: 50\nid: e1\ndata:\n\n' : ': nothing\n\n', () => response.destroy())
    }
    answers.GET = (_, response) => {
      const id = asked.findLast(({ body }) => body?.method === 'tools/call')?.body?.id
      stream(MESSAGE.replace('$', String(id)), '')({ method: 'GET', headers: {}, body: null }, response)
    }
    await using connection = connect()
    expect(await call(connection)).toMatchObject({ code: 'unknown_outcome' })
    isResumable = true
    expect(await call(connection)).toEqual(done)
  })

  test('above 1 MB is lost, and later calls work', async () => {
    const usual = answers['tools/call']
    const large = json({ content: [{ type: 'text', text: 'x'.repeat(1_100_000) }] })
    answers['tools/call'] = large
    await using connection = connect()
    expect(await call(connection)).toMatchObject(lost('Its answer is too large'))
    answers['tools/call'] = stream(`data: ${'x'.repeat(1_100_000)}`, '')
    expect(await call(connection)).toMatchObject(lost('Its answer is too large'))
    if (usual) answers['tools/call'] = usual
    expect(await call(connection)).toEqual(done)
    expect(names().filter((name) => name === 'initialize')).toHaveLength(1)
  })

  test('with long progress is read, although its stream is larger than the limit of one message', async () => {
    const progress = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"${'x'.repeat(1_000)}"}}\n`
    answers['tools/call'] = stream(...Array.from({ length: 1_500 }, () => progress), MESSAGE, '')
    await using connection = connect()
    expect(await call(connection)).toEqual(done)
  })
})

test('requests of a server are answered while it works: pings with a result, others with an error', async () => {
  const request = (id: string, method: string) => [
    `data: {"jsonrpc":"2.0","id":"${id}","method":"${method}"}`,
    '',
  ]
  answers['tools/call'] = stream(...request('p', 'ping'), ...request('r', 'roots/list'), MESSAGE, '')
  await using connection = connect()
  expect(await call(connection)).toEqual(done)
  await expect.poll(() => names().filter((name) => name === 'answer')).toHaveLength(2)
  const replies = asked
    .filter(({ body }) => body?.method === undefined && body !== null)
    .map(({ body }) => body)
  expect(replies).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 'p', result: {} },
      { jsonrpc: '2.0', id: 'r', error: { code: -32601, message: 'Method not found' } },
    ]),
  )
})

test('a server that sends endless requests is answered a hundred times', async () => {
  const pings = Array.from({ length: 500 }, (_, at) => `data: {"jsonrpc":"2.0","id":${at},"method":"ping"}\n`)
  answers['tools/call'] = stream(...pings, MESSAGE, '')
  await using connection = connect()
  expect(await call(connection)).toEqual(done)
  await expect.poll(() => names().filter((name) => name === 'answer')).toHaveLength(100)
})

test('a call that its caller aborts is cancelled at the server', async () => {
  answers['tools/call'] = () => {}
  await using connection = connect()
  const cancel = new AbortController()
  const calling = call(connection, cancel.signal)
  await expect.poll(() => names()).toContain('tools/call')
  const id = asked.find(({ body }) => body?.method === 'tools/call')?.body?.id
  cancel.abort(new Error('cancelled'))
  await expect(calling).rejects.toThrow('cancelled')
  await expect
    .poll(() => asked.at(-1)?.body)
    .toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    })
})

describe('a failure', () => {
  const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

  test.each<[string, Answer, string, string]>([
    [
      'an error of JSON-RPC',
      status(200, error(-32602, 'Unknown tool: a')),
      'failed',
      'The MCP server refused the call: Unknown tool: a',
    ],
    [
      'an error without a message',
      status(200, error(-32603, '')),
      'failed',
      'The MCP server refused the call: It answered with an error without a message.',
    ],
    [
      'a status with an error of JSON-RPC',
      status(400, error(-32600, 'Unsupported protocol version')),
      'unavailable',
      'The MCP server failed: It answered with status 400: Unsupported protocol version',
    ],
    [
      'a status',
      status(503, { secret: 1 }),
      'unavailable',
      'The MCP server failed: It answered with status 503.',
    ],
    [
      'a credential that has expired (RFC 6750)',
      status(
        401,
        {},
        {
          'www-authenticate':
            'Bearer realm="x", error="invalid_token", error_description="The access token expired"',
        },
      ),
      'unavailable',
      'The MCP server failed: It refused the request with status 401: check its credential (invalid_token: The access token expired).',
    ],
    [
      'a scope that is missing',
      status(403, {}, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:write"' }),
      'unavailable',
      'The MCP server failed: It refused the request with status 403: check its credential (insufficient_scope: it requires the scope files:write).',
    ],
  ])('of %s is reported in words', async (_, answer, code, message) => {
    answers['tools/call'] = answer
    await using connection = connect()
    expect(await call(connection)).toEqual({ ok: false, code, message })
  })
})
