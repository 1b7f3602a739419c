import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ToolCall, ToolRun } from '@troupe/agents/ports'
import type { HttpToolConfig } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ToolCredential } from '../credentials/credential-source.ts'
import type { RequestParts } from '../request/request-parts.ts'
import { configuredTool } from '../tool/configured-tool.ts'
import type { ToolUse } from '../tool/tool-maker.ts'
import { makeHttp } from './make-http.ts'

const CREDENTIAL = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

let answer: (request: IncomingMessage, response: ServerResponse) => void
let seen: Seen[]
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  seen.push({ method: request.method, url: request.url, headers: request.headers, body })
  answer(request, response)
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done).closeAllConnections()))
beforeEach(() => {
  seen = []
  answer = (_request, response) => response.end('ok')
})

const call = (signal = new AbortController().signal): ToolCall => ({
  id: 'call_0_1',
  key: 'call:0.1',
  signal,
})

interface Setting {
  config: Partial<HttpToolConfig>
  input?: Record<string, unknown>
  toolContext?: Record<string, unknown>
  credential?: ToolCredential
  signal?: AbortSignal
  key?: string
}

/** Calls a tool whose arguments are any strings that its schema names. */
async function request({ config, input = {}, toolContext = {}, credential, signal, key }: Setting) {
  const whole: HttpToolConfig = {
    type: 'http',
    name: 'get_order',
    method: 'GET',
    url: `${origin}/orders`,
    ...config,
  }
  const run = { runId: 'run-1', toolContext } as unknown as ToolRun
  const use = { agent: {}, run, resources: new AsyncDisposableStack() } as unknown as ToolUse
  const parts: RequestParts = {
    fetch: globalThis.fetch,
    credentials: { find: async () => credential ?? null },
  }
  const [body] = await makeHttp(whole, use, parts)
  if (!body) throw new Error('no tool')
  const made = { ...call(signal), ...(key ? { key } : {}) }
  return configuredTool(whole, body, run).execute(input, made)
}

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

describe('arguments', () => {
  test('are encoded for their place in the path and in the query of the URL', async () => {
    const url = `${origin}/orders/{id}/items?q={q}&fixed=a%20b`
    const config = { url, input_schema: schema('id', 'q') }
    const outcome = await request({ config, input: { id: 'a/b?c#d ü', q: 'x&y=z' } })
    expect(outcome).toEqual({ ok: true, text: 'ok' })
    expect(seen[0]?.url).toBe('/orders/a%2Fb%3Fc%23d%20%C3%BC/items?q=x%26y%3Dz&fixed=a%20b')
  })

  test('without a template go into the query of a GET; a list repeats its key', async () => {
    const config = {
      query: { tag: '{tags}', on: 'yes-{n}', all: true },
      input_schema: schema('tags', 'n', 'limit', 'none'),
    }
    await request({ config, input: { tags: ['a', 'b c'], n: 5, limit: 10, none: null } })
    expect(seen[0]?.url).toBe('/orders?tag=a&tag=b%20c&on=yes-5&all=true&limit=10')
  })

  test('without a template go into the JSON body of other methods, overridden by the template', async () => {
    const config = {
      method: 'POST' as const,
      body: {
        count: '{count}',
        note: 'For {who}: {count}',
        list: ['{gone}', '{count}'],
        gone: '{gone}',
        fixed: 1,
      },
      input_schema: schema('count', 'who', 'gone', 'extra', 'fixed'),
    }
    await request({ config, input: { count: 3, who: 'Ann', extra: { deep: true }, fixed: 9 } })
    expect(seen[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      extra: { deep: true },
      count: 3,
      note: 'For Ann: 3',
      list: [3],
      fixed: 1,
    })
  })

  test('missing in the schema are not sent, unless it is open', async () => {
    const input = { admin: true }
    await request({ config: { method: 'POST', input_schema: schema('id') }, input })
    expect(seen[0]?.body).toBe('')
    await request({
      config: { method: 'POST', input_schema: { ...schema('id'), additionalProperties: true } },
      input,
    })
    expect(seen[1]?.body).toBe('{"admin":true}')
  })

  test.each([
    ['..', 'id must not be dots alone in a path.'],
    ['.', 'id must not be dots alone in a path.'],
    ['', 'id must not be empty in a path.'],
    [['a'], 'id must be text, a number or a boolean in a path.'],
    [undefined, 'id is missing.'],
  ])('%j does not leave its path segment', async (id, message) => {
    const config = { url: `${origin}/orders/{id}/admin`, input_schema: schema('id') }
    expect(await request({ config, input: { id } })).toEqual({
      ok: false,
      code: 'invalid_arguments',
      message,
    })
    expect(seen).toEqual([])
  })

  test.each(['a\r\nx-admin: 1', 'a\nb', 'a\0b', 'snow ☃'])('%j is not a header', async (who) => {
    const config = { headers: { 'X-User': '{who}' }, input_schema: schema('who') }
    expect(await request({ config, input: { who } })).toMatchObject({ code: 'invalid_arguments' })
    expect(seen).toEqual([])
  })
})

test('an argument used in many places does not create a request of unlimited size', async () => {
  const config = {
    method: 'POST' as const,
    body: Array.from({ length: 1_000 }, () => '{note}'),
    input_schema: schema('note'),
  }
  expect(await request({ config, input: { note: 'x'.repeat(2_000) } })).toEqual({
    ok: false,
    code: 'invalid_arguments',
    message: 'note makes the request too long.',
  })
  expect(seen).toEqual([])
})

describe('the context', () => {
  const context_keys = [{ key: 'shop' }, { key: 'token' }]

  test('provides a host that a URL may have', async () => {
    const config = { url: 'http://{{ context.shop }}/orders', context_keys }
    expect(await request({ config, toolContext: { shop: '1.2.3.4.5' } })).toEqual({
      ok: false,
      code: 'missing_context',
      message: 'context.shop is not a host name.',
    })
  })

  test('fills URL parts, headers and bodies, and is hidden in results', async () => {
    const { port } = new URL(origin)
    const config = {
      method: 'POST' as const,
      url: `http://{{ context.shop.host }}:${port}/{{context.shop.id}}`,
      headers: { 'X-Token': 'T {{ context.token }}' },
      body: { shop: '{{ context.shop }}' },
      context_keys,
    }
    answer = (incoming, response) => response.writeHead(500).end(`no ${incoming.headers['x-token']}`)
    const shop = { host: '127.0.0.1', id: 7 }
    const outcome = await request({ config, toolContext: { shop, token: 'secret-token-1' } })
    expect(outcome).toEqual({
      ok: false,
      code: 'http_500',
      message: 'The server answered with status 500.',
      body: 'no T [hidden]',
    })
    expect(seen[0]).toMatchObject({
      url: '/7',
      headers: { 'x-token': 'T secret-token-1' },
      body: JSON.stringify({ shop }),
    })
  })

  test.each(['evil.test/x', 'a@evil.test', 'evil.test#', 'h:1', 'a b'])('%j is not a host', async (host) => {
    const config = { url: 'http://{{ context.shop }}/x', context_keys }
    expect(await request({ config, toolContext: { shop: host } })).toEqual({
      ok: false,
      code: 'missing_context',
      message: 'context.shop is not a host name.',
    })
  })
})

describe('a credential', () => {
  const of = (change: Partial<ToolCredential>): ToolCredential => ({
    ...{ name: 'CRM', kind: 'bearer', username: null, field: null, secret: 's3cret!', hosts: ['127.0.0.1'] },
    ...change,
  })

  test.each([
    [of({}), { authorization: 'Bearer s3cret!' }, '/orders'],
    [of({ kind: 'basic', username: 'ann' }), { authorization: 'Basic YW5uOnMzY3JldCE=' }, '/orders'],
    [of({ kind: 'header', field: 'X-Key' }), { 'x-key': 's3cret!' }, '/orders'],
    [of({ kind: 'query', field: 'key' }), {}, '/orders?key=s3cret!'],
  ])('is sent in its configured way, and never shown: %#', async (credential, headers, url) => {
    answer = (incoming, response) => response.end(JSON.stringify([incoming.url, incoming.headers, 's3cret!']))
    const outcome = await request({ config: { auth_credential_id: CREDENTIAL }, credential })
    expect(seen[0]).toMatchObject({ url, headers })
    expect(JSON.stringify(outcome)).not.toMatch(/s3cret|YW5uOnMzY3JldCE/)
    expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining('[hidden]') })
  })

  test('is not shown in part at the end of a truncated answer', async () => {
    answer = (_incoming, response) => response.end(`${'x'.repeat(1024 - 4)}s3cret!`)
    const config = { auth_credential_id: CREDENTIAL, response_max_kb: 1 }
    expect(JSON.stringify(await request({ config, credential: of({}) }))).not.toContain('s3')
    answer = (_incoming, response) => response.writeHead(400).end(`${'x'.repeat(2048 - 4)}s3cret!`)
    expect(JSON.stringify(await request({ config, credential: of({}) }))).not.toContain('s3')
  })

  test('is sent only to its hosts', async () => {
    const credential = of({ hosts: ['crm.example', '*.127.0.0.1'] })
    expect(await request({ config: { auth_credential_id: CREDENTIAL }, credential })).toEqual({
      ok: false,
      code: 'failed',
      message: 'The credential CRM does not cover the host of this request.',
    })
    expect(seen).toEqual([])
  })

  test('that does not exist is an error that names it', async () => {
    expect(await request({ config: { auth_credential_id: CREDENTIAL } })).toMatchObject({
      code: 'failed',
      message: expect.stringContaining(CREDENTIAL),
    })
    expect(seen).toEqual([])
  })
})

describe('an answer', () => {
  test('that is an error has its status and its first 2 KB', async () => {
    answer = (_incoming, response) => response.writeHead(404).end('x'.repeat(5_000))
    expect(await request({ config: {} })).toEqual({
      ok: false,
      code: 'http_404',
      message: 'The server answered with status 404.',
      body: 'x'.repeat(2_048),
    })
  })

  test('that never ends is cut, and the rest is not read', async () => {
    const closed = Promise.withResolvers<void>()
    answer = (_incoming, response) => {
      response.on('close', () => closed.resolve())
      const more = () => {
        while (response.write('y'.repeat(10_000)));
        response.once('drain', more)
      }
      more()
    }
    const outcome = await request({ config: { response_max_kb: 1 } })
    expect(outcome).toEqual({
      ok: true,
      text: `${'y'.repeat(1024)}\n[The answer is longer than 1 KB; the rest was not read.]`,
    })
    await closed.promise
  })

  test('that is not text, or empty, is reported as such', async () => {
    answer = (_incoming, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    expect(await request({ config: {} })).toMatchObject({
      code: 'failed',
      message: 'The answer is image/png, which is not text.',
    })
    answer = (_incoming, response) => response.writeHead(204).end()
    expect(await request({ config: {} })).toMatchObject({
      text: 'The server answered with status 204 and no content.',
    })
  })

  test.each([
    ['text/plain; charset=iso-8859-1', Buffer.from('Grün', 'latin1'), 'Grün'],
    ['text/plain; charset=nonsense', Buffer.from('Grün'), 'Grün'],
    ['text/plain', Buffer.from('Grün', 'latin1'), 'Gr\ufffdn'],
  ])('in %s is decoded as far as it can be', async (type, bytes, text) => {
    answer = (_incoming, response) => response.writeHead(200, { 'content-type': type }).end(bytes)
    expect(await request({ config: {} })).toEqual({ ok: true, text })
  })

  test('with a wrong encoding is an error', async () => {
    answer = (_incoming, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    expect(await request({ config: {} })).toMatchObject({ ok: false, code: 'failed' })
  })

  test('of an unreachable server is unavailable', async () => {
    expect(await request({ config: { url: 'http://127.0.0.1:1/' } })).toEqual({
      ok: false,
      code: 'unavailable',
      message: 'The server could not be reached.',
    })
  })
})

test('an aborted call closes its request', async () => {
  const closed = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  answer = (_incoming, response) => {
    response.on('close', () => closed.resolve())
    arrived.resolve()
  }
  const controller = new AbortController()
  const outcome = request({ config: {}, signal: controller.signal })
  await arrived.promise
  controller.abort(new Error('enough'))
  await expect(outcome).rejects.toThrow('enough')
  await closed.promise
})

test('an idempotent call that is not a GET has its own key', async () => {
  await request({ config: { method: 'POST', idempotent: true } })
  await request({ config: { method: 'POST', idempotent: true }, key: 'member:m1:0/call:0.1' })
  await request({ config: { method: 'POST' } })
  await request({ config: { idempotent: true } })
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'run-1:call_0_1',
    'run-1:member:m1:0/call_0_1',
    undefined,
    undefined,
  ])
})
