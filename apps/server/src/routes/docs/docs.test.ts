import { OPERATIONS, OPERATOR_OPERATIONS } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../openapi/document-types.ts'
import { html } from '../../pages/rendering/markup.ts'

let server: TestServer
let document: OpenApiDocument
beforeAll(async () => {
  server = await startTestServer({ env: { TROUPE_PUBLIC_URL: 'https://troupe.test/' } })
  document = (await server.call('GET /api/v1/openapi.json', { key: null })).body as OpenApiDocument
})
afterAll(() => server[Symbol.asyncDispose]())

test('the document and the registered routes are the same set', async () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const routes = server.routes
    .filter(({ url, method }) => url.startsWith('/api/v1/') && method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((route) => route !== 'GET /api/v1/openapi.json')
  expect(described.toSorted()).toEqual(routes.toSorted())
})

test('the operator has no place in the public document', () => {
  for (const { path } of Object.values(OPERATOR_OPERATIONS)) expect(document.paths[path]).toBeUndefined()
  expect(document.components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  })
})

test('it is OpenAPI 3.1 at the public address, and every reference leads somewhere', () => {
  expect(document.openapi).toBe('3.1.1')
  expect(document.servers).toEqual([{ url: 'https://troupe.test' }])
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  expect(references.length).toBeGreaterThan(20)
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document)
    expect([reference, typeof target]).toEqual([reference, 'object'])
  }
})

test('every operation lists its success and every status that it can answer', () => {
  const statuses = (path: string, method: string) =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
  expect(statuses('/api/v1/agents', 'post')).toEqual([201, 400, 401, 413, 415, 422, 429, 500, 503])
  expect(statuses('/api/v1/agents/{agentId}', 'get')).toEqual([200, 401, 403, 404, 429, 500, 503])
  expect(statuses('/api/v1/agents/{agentId}/run', 'post')).toEqual(
    expect.arrayContaining([200, 409, 502, 504]),
  )
})

test('named schemas are written once', () => {
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([
    'Agent',
    'AgentConfig',
    'AgentRunResult',
    'Error',
    'LlmProvider',
    'RunMessage',
    'RunMetrics',
    'StreamEvent',
  ])
})

test('the page describes every operation and needs nothing from elsewhere', async () => {
  const { status, headers, body } = await server.call('GET /docs', { key: null })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
  const page = body as string
  for (const { id, summary } of Object.values(OPERATIONS)) {
    expect(page).toContain(`id="${id}"`)
    expect(page).toContain(summary)
  }
  expect(page).not.toMatch(/<script|style="|<style| on\w+=/)
  const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '')
  for (const link of links.filter((link) => link.startsWith('#')))
    expect(page).toContain(`id="${link.slice(1)}"`)
  expect(links.filter((link) => !link.startsWith('#'))).toEqual(['/docs/style.css', '/api/v1/openapi.json'])
  const style = await server.call('GET /docs/style.css', { key: null })
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
})

test('text is escaped, markup is not', () => {
  const inner = html`<b>${'<script>"\'&'}</b>`
  expect(html`<p title="${'"'}">${[inner, ' ', 1]}</p>`.text).toBe(
    '<p title="&quot;"><b>&lt;script&gt;&quot;&#39;&amp;</b> 1</p>',
  )
})
