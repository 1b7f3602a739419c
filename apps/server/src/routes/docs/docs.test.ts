import { OPERATIONS, OPERATOR_OPERATIONS } from '@troupe/contract'
import { html } from '@troupe/html'
import { siteDocument } from '@troupe/http/openapi/documents/site-document'
import type { OpenApiDocument } from '@troupe/http/openapi/writing/document-types'
import { PAGE_ICON } from '@troupe/server-html/rendering/html-page'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let document: OpenApiDocument
let site: OpenApiDocument
beforeAll(async () => {
  server = await startTestServer({ env: { TROUPE_PUBLIC_URL: 'https://troupe.test/' } })
  document = (await server.call('GET /api/v1/openapi.json', { key: null })).body as OpenApiDocument
  site = (await server.call('GET /api/builder/openapi.json', { key: null, headers: operator() }))
    .body as OpenApiDocument
})
const operator = () => ({ authorization: `Bearer ${server.adminToken}` })
afterAll(() => server[Symbol.asyncDispose]())

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
}
const routesOf = (described: OpenApiDocument) => operationsOf(described).map(({ route }) => route)

test('each registered route is in exactly one of the two documents', () => {
  const routes = server.routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')}`)
  expect([...routesOf(document), ...routesOf(site)].toSorted()).toEqual(routes.toSorted())
})

test('every parameter in a path is described', () => {
  for (const { route, parameters = [] } of [...operationsOf(document), ...operationsOf(site)]) {
    const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = parameters.flatMap((one) => ('in' in one && one.in === 'path' ? [one.name] : []))
    expect([route, described.toSorted()]).toEqual([route, named.toSorted()])
  }
})

test('the public document has the public API, the other one every remaining operation', () => {
  for (const route of routesOf(document)) expect(route).toMatch(/^[A-Z]+ \/api\/v1\//)
  const others = routesOf(site).filter((route) => route !== 'GET /api/v1/openapi.json')
  for (const route of others) expect(route).not.toMatch(/^[A-Z]+ \/api\/v1\//)
})

test('the document of the site is for the operator', async () => {
  const unauthorized = { status: 401, body: { error: 'unauthorized' } }
  expect(await server.call('GET /api/builder/openapi.json', { key: null })).toMatchObject(unauthorized)
  expect(await server.call('GET /api/builder/openapi.json')).toMatchObject(unauthorized)
  expect(Object.keys(site.components.securitySchemes)).toEqual(['adminToken', 'session'])
  expect(site.components.securitySchemes.session).toEqual({
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-troupe_session',
  })
})

test('the document and the route agree on who may call it', () => {
  const described = new Map(
    operationsOf(site).map(({ route, security }) => [route, JSON.stringify(security)]),
  )
  for (const { method, url, access } of server.routes) {
    const security = described.get(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')}`)
    if (security === undefined) continue
    if (access === 'operator') expect([url, security]).toEqual([url, '[{"adminToken":[]}]'])
    // The inbox redirects signed-out visitors to the sign-in page.
    else if (access === 'person') expect([url, security]).toEqual([url, '[{"session":[]}]'])
    else expect([url, security]).not.toEqual([url, '[{"adminToken":[]}]'])
  }
})

test('a server without monitoring on its port does not document it', () => {
  expect(
    Object.keys(siteDocument('http://a', { hasMonitoring: false, sessionCookie: 's' }).paths),
  ).not.toContain('/healthz')
  expect(Object.keys(siteDocument('http://a', { hasMonitoring: true, sessionCookie: 's' }).paths)).toContain(
    '/healthz',
  )
})

test('operator routes are not in the public document', () => {
  for (const { path } of Object.values(OPERATOR_OPERATIONS)) expect(document.paths[path]).toBeUndefined()
  expect(document.components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearerKey: { type: 'http', scheme: 'bearer' },
  })
})

test.each(['public', 'site'])('the %s document is OpenAPI 3.1, and every reference resolves', (name) => {
  const described = name === 'public' ? document : site
  expect(described.openapi).toBe('3.1.1')
  expect(described.servers).toEqual([{ url: 'https://troupe.test' }])
  const ids = operationsOf(described).map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  expect(references.length).toBeGreaterThan(20)
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], described)
    expect([reference, typeof target]).toEqual([reference, 'object'])
  }
})

test('every operation lists its success and every possible status', () => {
  const statuses = (path: string, method: string) =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
  const edge = [408, 413, 414, 415, 417]
  expect(statuses('/api/v1/agents', 'post')).toEqual([201, 400, 401, ...edge, 422, 429, 431, 500, 503])
  expect(statuses('/api/v1/agents/{agentId}', 'get')).toEqual([
    ...[200, 400, 401, 403, 404, 408, 414, 417],
    ...[429, 431, 500, 503],
  ])
  expect(statuses('/api/v1/agents/{agentId}/run', 'post')).toEqual(
    expect.arrayContaining([200, 409, 502, 504]),
  )
})

test('shared responses are written once', () => {
  expect(Object.keys(document.components.responses)).toEqual([
    'BadRequest',
    'Unauthorized',
    'RequestTimeout',
    'PayloadTooLarge',
    'UriTooLong',
    'UnsupportedMediaType',
    'ExpectationFailed',
    'TooManyRequests',
    'HeadersTooLarge',
    'InternalError',
    'ServiceUnavailable',
  ])
  const { responses } = document.paths['/api/v1/agents/{agentId}']?.get ?? {}
  expect(responses?.[401]).toEqual({ $ref: '#/components/responses/Unauthorized' })
  expect(JSON.stringify(document).length).toBeLessThan(310_000)
})

test('ids are UUIDs in the document too', () => {
  const parameters = operationsOf(document).flatMap((operation) => operation.parameters ?? [])
  const ids = parameters.filter(
    ({ name, in: place }) => place === 'path' && /Id$/.test(name) && name !== 'sessionId',
  )
  expect(ids.length).toBeGreaterThan(20)
  for (const { schema } of ids) expect(schema).toMatchObject({ type: 'string', format: 'uuid' })
  const { model } = document.components.schemas.AgentConfig?.properties ?? {}
  const configured = model?.properties?.primary?.properties?.llm_config_id
  expect(configured).toMatchObject({ type: ['string', 'null'], format: 'uuid' })
})

test('an event stream is described event by event, with the payload as JSON in data', () => {
  // Other protocols have their own streams.
  const own = operationsOf(document).filter(({ tags }) => !tags.includes('Other protocols'))
  const streams = own.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) =>
      'content' in response && response.content?.['text/event-stream'] ? [response.content] : [],
    ),
  )
  expect(streams).toHaveLength(4)
  for (const content of streams) {
    expect(content).toEqual({
      'text/event-stream': { schema: { $ref: '#/components/schemas/ServerSentEvent' } },
    })
  }
  expect(document.components.schemas.ServerSentEvent).toMatchObject({
    required: ['id', 'event', 'data'],
    properties: {
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/components/schemas/StreamEvent' },
      },
    },
  })
})

test('named schemas are written once', () => {
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([
    'Agent',
    'AgentConfig',
    'AgentRunResult',
    'Error',
    'FormDefinition',
    'LlmProvider',
    'McpError',
    'OpenAiError',
    'Review',
    'RunMessage',
    'RunMetrics',
    'ServerSentEvent',
    'StreamEvent',
    'TeamRunResult',
  ])
})

/** Every page of the reference by its path. */
async function referencePages(): Promise<Map<string, string>> {
  const overview = await server.call('GET /docs', { key: null })
  const paths = [...String(overview.body).matchAll(/<a class="entry page" href="([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  const pages = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const { status, headers, body } = await server.call(`GET ${path}`, { key: null })
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
      return [path, String(body)]
    }),
  )
  return new Map(pages)
}

test('the pages describe every operation, each on the page of its group, and load nothing from elsewhere', async () => {
  const pages = await referencePages()
  const groups = document.tags.map(({ name }) => `/docs/${name.toLowerCase().replaceAll(' ', '-')}`)
  expect([...pages.keys()]).toEqual(['/docs', ...groups, '/docs/errors', '/docs/schemas'])
  for (const { operationId, summary, tags } of operationsOf(document)) {
    const page = pages.get(`/docs/${tags[0].toLowerCase().replaceAll(' ', '-')}`)
    expect(page).toContain(`<article class="operation" id="${operationId}">`)
    // Old addresses, from when there was one page, lead to the operation on the overview.
    expect(pages.get('/docs')).toContain(`<li id="${operationId}">`)
    for (const each of pages.values()) expect(each).toContain(html`<span>${summary}</span>`.text)
  }
  // Redirects have a Location; responses to requests with a key do not.
  const [, limits = ''] = (pages.get('/docs') ?? '').split('<h2>Rate limits</h2>')
  expect([...limits.matchAll(/<p class="head"><code>([^<]+)</g)].map(([, name]) => name)).toEqual([
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Key-Limit',
    'X-RateLimit-Key-Remaining',
  ])
  expect(Object.keys(OPERATIONS).length).toBeGreaterThan(0)
  for (const [path, page] of pages) {
    expect(page).not.toMatch(/<script(?! src="\/docs\/reference\.js" defer>)|style="|<style| on\w+=/)
    const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '')
    for (const link of links) {
      const [target = '', anchor] = link.split('#')
      if (anchor !== undefined) {
        expect([path, link, pages.get(target === '' ? path : target)?.includes(`id="${anchor}"`)]).toEqual([
          path,
          link,
          true,
        ])
      }
    }
    const elsewhere = new Set(links.map((link) => link.split('#')[0] ?? ''))
    for (const target of ['', ...pages.keys()]) elsewhere.delete(target)
    expect([...elsewhere]).toEqual([
      PAGE_ICON.path,
      '/docs/style.css',
      '/docs/reference.js',
      '/api/v1/openapi.json',
      '/',
    ])
    expect(new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])).size).toBe(
      [...page.matchAll(/ id="([^"]+)"/g)].length,
    )
    // The largest page has every setting of an agent.
    expect([path, page.length < 260_000]).toEqual([path, true])
  }
})

test('the style sheet and the script of the reference are served, and an unknown page is not', async () => {
  const style = await server.call('GET /docs/style.css', { key: null })
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
  const fonts = [...String(style.body).matchAll(/url\("([^"]+)"\)/g)].map((match) => match[1] ?? '')
  expect(fonts).toHaveLength(2)
  for (const font of fonts) expect((await server.call(`GET ${font}`, { key: null })).status).toBe(200)
  const script = await server.call('GET /docs/reference.js', { key: null })
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(await server.call('GET /docs/nothing', { key: null })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
  const lost = await server.call('GET /docs/nothing', { key: null, headers: { accept: 'text/html' } })
  expect([lost.status, lost.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
})

test('text is escaped, markup is not', () => {
  const inner = html`<b>${'<script>"\'&'}</b>`
  expect(html`<p title="${'"'}">${[inner, ' ', 1]}</p>`.text).toBe(
    '<p title="&quot;"><b>&lt;script&gt;&quot;&#39;&amp;</b> 1</p>',
  )
})
