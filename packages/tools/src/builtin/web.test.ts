import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CredentialId, newId } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToolCredential } from '../credentials/credential-source.ts'
import type { ToolUse } from '../tool/tool-maker.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
const seen: {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[] = []
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

const call = { id: 'call_0_0', key: 'call:0.0', signal: new AbortController().signal }

/** Redirects requests for a search service to the server of the test. */
const rerouted: typeof globalThis.fetch = (input, init) => {
  const url = new URL(String(input))
  return fetch(`${origin}${url.pathname}${url.search}`, {
    ...init,
    headers: new Headers({ ...Object.fromEntries(new Headers(init?.headers)), 'x-asked': url.host }),
  })
}

async function search(credential: Partial<ToolCredential>, input: Record<string, unknown>) {
  seen.length = 0
  const whole: ToolCredential = {
    name: 'Search',
    kind: 'bearer',
    username: null,
    field: null,
    secret: 'search-key',
    hosts: [],
    ...credential,
  }
  const use = { agent: {} } as unknown as ToolUse
  const parts = { fetch: rerouted, credentials: { find: async () => whole } }
  return webSearch(newId(CredentialId), use, parts).execute(input, call, {})
}

const BRAVE = { hosts: ['api.search.brave.com'], kind: 'header' as const, field: 'X-Subscription-Token' }
const TAVILY = { hosts: ['api.tavily.com'] }

test('Brave Search is called as its API requires', async () => {
  answer = (_, response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        type: 'search',
        query: { original: 'bikes' },
        web: {
          type: 'search',
          results: [
            {
              title: 'Bikes',
              url: 'https://bikes.example/',
              description: `All about bikes. ${'x'.repeat(900)}`,
            },
            { title: 'No address' },
            { title: 'More', url: 'https://more.example/', description: 'More.' },
          ],
        },
      }),
    )
  expect(await search(BRAVE, { query: 'bikes & more', count: 2 })).toEqual({
    ok: true,
    text: JSON.stringify([
      { title: 'Bikes', url: 'https://bikes.example/', snippet: `All about bikes. ${'x'.repeat(583)}` },
      { title: 'More', url: 'https://more.example/', snippet: 'More.' },
    ]),
  })
  expect(seen).toMatchObject([
    {
      method: 'GET',
      url: '/res/v1/web/search?q=bikes+%26+more&count=2&text_decorations=false',
      headers: { 'x-subscription-token': 'search-key', 'x-asked': 'api.search.brave.com' },
    },
  ])
  answer = (_, response) => response.end('{"type":"search"}')
  expect(await search(BRAVE, { query: 'nothing' })).toEqual({ ok: true, text: 'Nothing was found.' })
})

test('Tavily is called as its API requires', async () => {
  answer = (_, response) =>
    response.end(
      JSON.stringify({
        query: 'bikes',
        results: [
          { title: 'Bikes', url: 'https://bikes.example/', content: 'All.', score: 0.9, raw_content: null },
        ],
        response_time: 1.1,
      }),
    )
  expect(await search(TAVILY, { query: 'bikes' })).toEqual({
    ok: true,
    text: '[{"title":"Bikes","url":"https://bikes.example/","snippet":"All."}]',
  })
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/search',
      headers: {
        authorization: 'Bearer search-key',
        'content-type': 'application/json',
        'x-asked': 'api.tavily.com',
      },
      body: '{"query":"bikes","max_results":5}',
    },
  ])
})

test('a failed search reports the reason, without the key', async () => {
  answer = (_, response) => response.writeHead(401).end('{"detail":{"error":"no such key: search-key"}}')
  expect(await search(TAVILY, { query: 'x' })).toEqual({
    ok: false,
    code: 'http_401',
    message: 'The server answered with status 401.',
    body: '{"detail":{"error":"no such key: [hidden]"}}',
  })
  answer = (_, response) => response.setHeader('content-type', 'text/html').end('<html>Please log in')
  expect(await search(TAVILY, { query: 'x' })).toMatchObject({
    message: 'The search service returned an unreadable response.',
  })
  expect(await search({ hosts: ['crm.example'] }, { query: 'x' })).toMatchObject({
    message: 'The credential Search is not for a search service.',
  })
  expect(seen).toEqual([])
})

const read = (url: string) => webFetch(fetch).execute({ url }, call, {})

test('a page is read as text, and other texts unchanged', async () => {
  answer = (_, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        '<html><head><title>x</title><script>evil()</script></head><body><h1>Refunds</h1><p>14&nbsp;days.</p></body>',
      )
  expect(await read(`${origin}/page`)).toEqual({ ok: true, text: '# Refunds\n\n14 days.' })
  answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"a":"<b>"}')
  expect(await read(`${origin}/data`)).toEqual({ ok: true, text: '{"a":"<b>"}' })
  answer = (_, response) => response.setHeader('content-type', 'text/html').end('<script>1</script>')
  expect(await read(origin)).toEqual({ ok: true, text: 'The page has no text.' })
})

test('an endless page is cut, and an answer without text or a malformed address is an error', async () => {
  answer = (_, response) => {
    response.setHeader('content-type', 'text/html')
    const more = () => {
      while (!response.destroyed && response.write(`<p>${'x '.repeat(30_000)}</p>`));
      response.once('drain', more)
    }
    more()
  }
  const long = await read(origin)
  expect(long.ok && long.text.endsWith('\n[The answer is longer than 1024 KB; the rest was not read.]')).toBe(
    true,
  )
  answer = (_, response) => response.setHeader('content-type', 'image/png').end('png')
  expect(await read(origin)).toMatchObject({
    ok: false,
    message: 'The answer is image/png, which is not text.',
  })
  for (const url of ['ftp://a.test/', 'file:///etc/passwd', 'http://me:secret@a.test/', 'nonsense']) {
    expect(await read(url)).toMatchObject({ ok: false, code: 'invalid_arguments' })
  }
})
