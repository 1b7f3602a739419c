import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { McpConnection } from './mcp-connection.ts'
import { flood, type HostileServer, listed, startHostileServer } from './testing/hostile-server.ts'
import { ToolLists } from './tool-lists.ts'

let server: HostileServer
const usual: HostileServer['on'] = {}
beforeAll(async () => {
  server = await startHostileServer()
  Object.assign(usual, server.on)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  Object.assign(server.on, usual)
  server.asked.length = 0
})

const never = new AbortController().signal
const connect = (headers: Record<string, string> = {}, url = server.url) =>
  new McpConnection({ url, headers, secrets: [] }, globalThis.fetch)
const nothing = () => undefined

test('a session opens with its first request and serves the calls of the run', async () => {
  await using connection = connect()
  expect(server.asked).toEqual([])
  expect(await connection.list(never)).toMatchObject({ tools: [listed('echo')], leftOut: [], gaps: [] })
  expect(await connection.call('echo', { a: 1 }, never)).toEqual({ ok: true, text: '{"a":1}' })
  expect(server.asked).toEqual(['initialize', 'tools/list', 'tools/call'])
})

test.each(['initialize', 'tools/list'])('a server that hangs at %s ends with the signal', async (method) => {
  server.on[method] = nothing
  await using connection = connect()
  const cancel = new AbortController()
  const listing = connection.list(cancel.signal)
  await expect.poll(() => server.asked).toContain(method)
  cancel.abort(new Error('cancelled'))
  await expect(listing).rejects.toThrow('cancelled')
})

test('a call that hangs ends with the signal', async () => {
  server.on['tools/call'] = nothing
  await using connection = connect()
  const cancel = new AbortController()
  const calling = connection.call('echo', {}, cancel.signal)
  await expect.poll(() => server.asked).toContain('tools/call')
  cancel.abort(new Error('cancelled'))
  await expect(calling).rejects.toThrow('cancelled')
})

const lost = (reason: string) => ({
  ok: false,
  code: 'unknown_outcome',
  message: `The response of the MCP server was lost: ${reason} The call may have taken effect: check before you repeat it.`,
})

test('an endless answer is cut off, and later calls work in the same session', async () => {
  server.on['tools/call'] = flood
  await using connection = connect()
  expect(await connection.call('echo', {}, never)).toEqual(lost('Its answer is too large.'))
  Object.assign(server.on, usual)
  expect(await connection.call('echo', {}, never)).toEqual({ ok: true, text: '{}' })
  expect(server.asked).toEqual(['initialize', 'tools/call', 'tools/call'])
})

test('a list of a hundred megabytes makes the server unavailable', async () => {
  server.on['tools/list'] = flood
  await using connection = connect()
  await expect(connection.list(never)).rejects.toThrow('Its answer is too large.')
})

const NO_MCP = 'It answers, but does not speak MCP over Streamable HTTP.'
const JSON_TYPE = 'application/json'

test.each([
  ['no JSON', 200, JSON_TYPE, 'oops', NO_MCP],
  ['JSON of something else', 200, JSON_TYPE, '{"ok":true}', NO_MCP],
  ['a page', 200, 'text/html', '<p>secret-page</p>', NO_MCP],
  ['an error', 500, JSON_TYPE, '{"stack":"secret-stack"}', 'It answered with status 500.'],
  [
    'an address without an endpoint',
    404,
    JSON_TYPE,
    '',
    'It answered with status 404: check its address, which must be the Streamable HTTP endpoint.',
  ],
  [
    'no credential',
    401,
    JSON_TYPE,
    'secret-text',
    'It refused the request with status 401: check its credential.',
  ],
])('%s is reported in our own sentence', async (_, status, type, text, reason) => {
  server.on.initialize = (__, response) => void response.writeHead(status, { 'content-type': type }).end(text)
  await using connection = connect()
  const failed = await connection.list(never).catch((error: unknown) => String(error))
  expect(failed).toBe(`McpUnavailable: ${reason}`)
})

const unavailable = (reason: string) => ({
  ok: false,
  code: 'unavailable',
  message: `The MCP server failed: ${reason}`,
})

// RFC 9110, 15.5.9 and 15.6: a gateway that timed out does not know whether the call was executed.
test.each([
  [404, unavailable],
  [429, unavailable],
  [503, unavailable],
  [408, lost],
  [500, lost],
  [502, lost],
  [504, lost],
])('a call with status %i is distinguished from one that may have taken effect', async (status, outcome) => {
  server.on['tools/call'] = (_, response) =>
    void response.writeHead(status, { 'content-type': JSON_TYPE }).end()
  await using connection = connect()
  await connection.list(never)
  expect(await connection.call('echo', {}, never)).toEqual(outcome(`It answered with status ${status}.`))
})

test.each([
  ['another type', 'text/html', '<p></p>'],
  ['no JSON', JSON_TYPE, 'oops'],
  ['another request', JSON_TYPE, '{"jsonrpc":"2.0","id":99,"result":{}}'],
])('an answer of %s to a call does not mean that the call failed', async (_, type, text) => {
  server.on['tools/call'] = (__, response) => void response.writeHead(200, { 'content-type': type }).end(text)
  await using connection = connect()
  const reason = 'Its answer does not follow the protocol.'
  expect(await connection.call('echo', {}, never)).toEqual(lost(reason))
})

test('an unreachable server is reported with its reason, without its address', async () => {
  const closed = await startHostileServer()
  await closed[Symbol.asyncDispose]()
  const failed = async (url: string) => {
    await using connection = connect({}, url)
    return await connection.list(never).catch((error: unknown) => String(error))
  }
  expect(await failed(closed.url)).toBe('McpUnavailable: It cannot be reached: the connection was refused.')
  expect(await failed('http://tools.nowhere.invalid/mcp')).toMatch(
    /^McpUnavailable: It cannot be reached: its host name (was not found|could not be resolved)\.$/,
  )
  expect(await failed(closed.url.replace('http:', 'ftp:'))).toBe('McpUnavailable: It cannot be reached.')
})

test('a server that hangs up is reported as such', async () => {
  server.on.initialize = (_, response) => void response.destroy()
  await using connection = connect()
  await expect(connection.list(never)).rejects.toThrow(
    'It cannot be reached: the connection was closed early.',
  )
})

test.each([
  ['was refused is not lost', 'ECONNREFUSED', 'unavailable', 'The MCP server failed: It cannot be reached: '],
  [
    'broke after it was opened may have taken effect',
    'ECONNRESET',
    'unknown_outcome',
    'It cannot be reached: ',
  ],
])('a call whose connection %s', async (_, networkCode, code, message) => {
  let isOpen = true
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (isOpen) return globalThis.fetch(url, init)
    const cause = Object.assign(new Error('x'), { code: networkCode })
    throw new TypeError('fetch failed', { cause })
  }
  await using connection = new McpConnection({ url: server.url, headers: {}, secrets: [] }, fetch)
  await connection.list(never)
  isOpen = false
  expect(await connection.call('echo', {}, never)).toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
})

test('a forbidden address is reported in the words of the guard', async () => {
  const refused = Object.assign(new Error('The address is not allowed.'), { code: 'ADDRESS_NOT_ALLOWED' })
  const endpoint = { url: server.url, headers: {}, secrets: [] }
  await using connection = new McpConnection(endpoint, () => Promise.reject(refused))
  await expect(connection.list(never)).rejects.toThrow('The address is not allowed.')
})

test('a redirect is not followed, so that headers stay with their server', async () => {
  await using elsewhere = await startHostileServer()
  server.on.initialize = (_, response) => void response.writeHead(307, { location: elsewhere.url }).end()
  await using connection = connect({ authorization: 'Bearer secret-token' })
  await expect(connection.list(never)).rejects.toThrow(
    `It answered with a redirect to ${elsewhere.url}, which is not followed`,
  )
  expect(elsewhere.asked).toEqual([])
})

test('a redirect to the same origin is followed, as from an address without its last slash', async () => {
  // https://github.com/modelcontextprotocol/python-sdk/issues/1168: Starlette responds to `/mcp` like this.
  server.on.initialize = (_, response, request) => {
    if (request.url === '/mcp') return void response.writeHead(307, { location: '/mcp/' }).end()
    return usual.initialize?.(_, response, request)
  }
  await using connection = connect({ authorization: 'Bearer secret-token' })
  expect(await connection.list(never)).toMatchObject({ tools: [listed('echo')] })
})

test.each([
  302, 303, 307,
])('a redirect %i that would lose the request or never ends is not followed', async (status) => {
  server.on.initialize = (_, response) => void response.writeHead(status, { location: '/mcp?a=secret' }).end()
  await using connection = connect()
  await expect(connection.list(never)).rejects.toThrow(
    `It answered with a redirect to ${server.url}, which is not`,
  )
})

describe('credentials returned by a server are hidden', () => {
  const token = 'secret-token'
  const inUrl = 'secret/in?url'
  const value = 'secret of the run'
  const shown = `${token} | ${inUrl} | ${encodeURIComponent(inUrl)} | ${value}`
  const hidden = '[hidden] | [hidden] | [hidden] | [hidden]'
  const endpoint = () => ({
    url: `${server.url}?api_key=${encodeURIComponent(inUrl)}`,
    headers: { authorization: `Bearer ${token}`, 'x-run': `run ${value}` },
    secrets: [],
    values: [value],
  })

  test.each<[string, object, string]>([
    ['a text', { content: [{ type: 'text', text: shown }] }, hidden],
    ['a link', { content: [{ type: 'resource_link', uri: token, name: shown }] }, `[${hidden}]([hidden])`],
    ['a resource', { content: [{ type: 'resource', resource: { uri: 'a', text: shown } }] }, hidden],
    [
      'a binary resource',
      { content: [{ type: 'resource', resource: { uri: shown } }] },
      `[resource: ${hidden}]`,
    ],
    ['structured content', { structuredContent: { [token]: [value] } }, '{"[hidden]":["[hidden]"]}'],
  ])('in %s', async (_, result, text) => {
    server.on['tools/call'] = () => result
    await using connection = new McpConnection(endpoint(), globalThis.fetch)
    expect(await connection.call('echo', {}, never)).toEqual({ ok: true, text })
  })

  test('in failures of every kind', async () => {
    await using connection = new McpConnection(endpoint(), globalThis.fetch)
    const message = async () => {
      const outcome = await connection.call('echo', {}, never)
      return outcome.ok ? null : outcome.message
    }
    const answer = (status: number, body: object, headers = {}) => {
      server.on['tools/call'] = (_, response) =>
        void response.writeHead(status, { 'content-type': JSON_TYPE, ...headers }).end(JSON.stringify(body))
    }
    server.on['tools/call'] = () => ({ isError: true, content: [{ type: 'text', text: shown }] })
    expect(await message()).toBe(`The tool failed: ${hidden}`)
    const error = { jsonrpc: '2.0', id: null, error: { code: -32603, message: shown } }
    answer(200, error)
    expect(await message()).toBe(`The MCP server refused the call: ${hidden}`)
    answer(500, error)
    expect(await message()).toBe(`The MCP server failed: It answered with status 500: ${hidden}`)
    answer(401, {}, { 'www-authenticate': `Bearer error="invalid_token", error_description="not ${token}"` })
    expect(await message()).toContain('check its credential (invalid_token: not [hidden]).')
    answer(307, {}, { location: `https://elsewhere.test/${token}` })
    expect(await message()).toContain('a redirect to https://elsewhere.test/[hidden], which')
  })

  test('in the list of tools', async () => {
    server.on['tools/list'] = () => ({
      tools: [listed('echo', { description: shown }), listed(token), { name: value }],
    })
    await using connection = new McpConnection(endpoint(), globalThis.fetch)
    const found = await connection.list(never)
    expect(JSON.stringify(found)).not.toMatch(/secret/)
    expect(found.tools[0]?.description).toBe(hidden)
  })
})

test('results are text, for any content, and a failed tool is an error', async () => {
  await using connection = connect()
  server.on['tools/call'] = () => ({
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
    ],
  })
  const text = 'a\n[image: image/png]\n[a.txt](file:///a.txt)\nb'
  expect(await connection.call('echo', {}, never)).toEqual({ ok: true, text })
  server.on['tools/call'] = () => ({ content: [], structuredContent: { n: 1 } })
  expect(await connection.call('echo', {}, never)).toEqual({ ok: true, text: '{"n":1}' })
  server.on['tools/call'] = () => ({ content: [{ type: 'text', text: 'no such order' }], isError: true })
  expect(await connection.call('echo', {}, never)).toEqual({
    ok: false,
    code: 'failed',
    message: 'The tool failed: no such order',
  })
})

test('lists are kept for five minutes for one owner, and an unreachable server for 30 seconds', async () => {
  let now = 0
  const lists = new ToolLists({ now: () => now })
  const read = async (owner = 'a') => {
    await using connection = connect()
    const endpoint = { url: server.url, headers: {}, secrets: [] }
    const reading = lists.of(owner, endpoint, () => connection.list(never))
    return await reading.catch((error: unknown) => String(error))
  }
  const count = () => server.asked.filter((method) => method === 'tools/list').length
  await read()
  await read()
  expect(count()).toBe(1)
  await read('b')
  expect(count()).toBe(2)
  now = 5 * 60_000
  server.on.initialize = (_, response) => void response.writeHead(500).end()
  expect(await read()).toContain('It answered with status 500')
  Object.assign(server.on, usual)
  expect(await read()).toContain('It answered with status 500')
  now += 30_000
  expect(await read()).toMatchObject({ tools: [listed('echo')] })
})

/** A list as text: some cannot be written by `JSON.stringify`. */
const listText = (schema: string) =>
  `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":${schema}}]}}`
const schemaOf = (count: number, property: string) =>
  `{"properties":{${Array.from({ length: count }, (_, at) => `"p${at}":${property}`).join(',')}}}`

test.each([
  ['depth', listText('[{"a":'.repeat(80_000)), 'Its answer is too large: it has more than 128 levels.'],
  ['width', listText(schemaOf(15_000, '[1]')), 'Its answer is too large: it has more than 25000 values.'],
  [
    'breadth',
    listText(schemaOf(55_000, '{}')),
    'Its answer is too large: it has an object of more than 20000 keys.',
  ],
  ['bytes', listText(schemaOf(49_000, '{"type":"string"}')), 'Its answer is too large.'],
])('a list of hostile %s is refused before it is parsed', async (_, text, reason) => {
  server.on['tools/list'] = (__, response) =>
    void response.writeHead(200, { 'content-type': JSON_TYPE }).end(text)
  await using connection = connect()
  await expect(connection.list(never)).rejects.toThrow(reason)
  server.on['tools/list'] = (__, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${text}\n\n`)
  await expect(connection.list(never)).rejects.toThrow(reason)
  Object.assign(server.on, usual)
  expect(await connection.list(never)).toMatchObject({ tools: [listed('echo')] })
})

/** The longest time, in milliseconds, during `work` in which other work did not run. */
async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  let isOver = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  turn()
  return longest
}

// Measures time, and retries because another process may use the processor for long: with seven processes per core the
// maximum was 190 ms.
test.each([
  ['deep schemas', `{"properties":{"a":${'{"items":'.repeat(55)}{}${'}'.repeat(55)}}}`, 200],
  ['wide schemas', schemaOf(900, '{"type":"string"}'), 10],
  ['schemas of references', schemaOf(900, '{"$ref":"#/properties/p1"}'), 10],
  ['schemas of patterns', schemaOf(400, '{"pattern":"^a{1,9}b+$"}'), 10],
  ['one object of many properties', schemaOf(24_000, '{}'), 1],
])('a hostile list of %s does not block other work', { retry: 2 }, async (_, schema, count) => {
  const tools = Array.from({ length: count }, (__, at) => `{"name":"t${at}","inputSchema":${schema}}`)
  let pages = 0
  server.on['tools/list'] = (message, response) => {
    pages += 1
    const result = `{"tools":[${tools.join(',')}]${pages < 3 ? `,"nextCursor":"${pages}"` : ''}}`
    response.writeHead(200, { 'content-type': JSON_TYPE })
    response.end(`{"jsonrpc":"2.0","id":${message.id},"result":${result}}`)
  }
  await using connection = connect()
  const silence = await longestSilence(() => connection.list(never).catch(() => {}))
  expect(silence).toBeLessThan(500)
})
