import { fromFieldError } from '@troupe/bundles'
import { createAdmission } from '@troupe/http/access'
import { createApp } from '@troupe/http/create-app'
import type { App } from '@troupe/http/server-types'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerBundles } from './bundles.ts'

let server: TestServer
let operator: Record<string, string>
let app: App
const URL = '/api/builder/bundles'
const YAML = `apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    apiKeys: [{ name: ci }]
    llmConfigurations: [{ slug: sand, name: Sand, providerId: sandbox, models: [{ modelId: sandbox-1 }] }]
    agents: [{ slug: a, name: A, status: active }]
`

beforeAll(async () => {
  server = await startTestServer()
  operator = { authorization: `Bearer ${server.adminToken}` }
  const { log, metrics } = server.context
  app = createApp({ log, metrics, admit: createAdmission(server.context) })
  registerBundles(app, server.context)
})
afterAll(async () => {
  await app.close()
  await server[Symbol.asyncDispose]()
})

async function post(payload: string | Buffer, type = 'application/yaml', headers = operator) {
  const request = {
    method: 'POST',
    url: URL,
    headers: { ...headers, 'content-type': type },
    payload,
  } as const
  const response = await app.inject(request)
  return { status: response.statusCode, body: response.json<unknown>() }
}

const get = (url: string, headers = operator) => app.inject({ method: 'GET', url, headers })

describe('POST /api/builder/bundles', () => {
  test('401 without the admin token, also with an API key', async () => {
    expect((await post(YAML, 'application/yaml', {})).status).toBe(401)
    expect((await get(URL, { 'x-api-key': server.seed.keys.organization })).statusCode).toBe(401)
  })

  test('200: a created key works with the very next request, on the applied agent', async () => {
    const { status, body } = await post(YAML)
    expect(status).toBe(200)
    const [applied] = (body as { organizations: { mintedKeys: { secret: string }[] }[] }).organizations
    const key = applied?.mintedKeys[0]?.secret ?? ''
    const agents = await server.call('GET /api/v1/agents', { key })
    const [agent] = (agents.body as { data: { agentId: string; name: string }[] }).data
    expect(agent?.name).toBe('A')
    const run = await server.call(`POST /api/v1/agents/${agent?.agentId}/run`, {
      key,
      body: { message: 'hi' },
    })
    expect(run.body).toMatchObject({ content: '[sandbox] A: hi', success: true })

    await post(YAML.replace('{ name: ci }', '{ name: ci, revoked: true }'))
    expect((await server.call('GET /api/v1/agents', { key })).status).toBe(401)
    await post(YAML.replace('{ name: ci }', '{ name: ci, revoked: false, rpm: 9 }'))
    const limits = await server.call('GET /api/v1/organizations/limits', { key })
    expect(limits.body).toMatchObject({ rate_limits: { org_rpm: 1000, key_rpm: 9 } })
  })

  test.each(['text/yaml', 'application/x-yaml', 'application/json'])('200 for %s', async (type) => {
    const json = '{"apiVersion":"troupe/v1","organizations":[{"slug":"acme","name":"Acme"}]}'
    expect((await post(json, type)).status).toBe(200)
  })

  test('400 for invalid UTF-8, and nothing is written', async () => {
    const answer = await post(
      Buffer.from(YAML.replace('slug: acme', 'slug: m').replace('Acme', 'M\xfcller'), 'latin1'),
    )
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
    expect(await server.context.database.read.organizations.bySlug('m')).toBeNull()
  })

  test('400 names every failure with its line and writes nothing', async () => {
    const { status, body } = await post(YAML.replace('name: Acme', 'name: ""').replace('sandbox,', 'nobody,'))
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'validation_error',
      message: 'The bundle is not valid; nothing was applied.',
    })
    const { errors } = body as { errors: { path: string; message: string }[] }
    expect(errors.map(fromFieldError)).toEqual([
      { path: 'organizations.0.name', message: 'must not be empty', line: 4 },
      {
        path: 'organizations.0.llmConfigurations.0.providerId',
        message: expect.stringMatching(/^must be one of: openai,/),
        line: 6,
      },
    ])
  })

  test('413 and 415 name the accepted sizes and types', async () => {
    expect((await post('x'.repeat(9_000_000))).body).toMatchObject({
      message: 'The request body is larger than 8 MB.',
    })
    expect(await post(YAML, 'text/plain')).toMatchObject({
      status: 415,
      body: { message: 'The Content-Type must be application/yaml or application/json.' },
    })
    expect((await post(YAML, 'application/yaml; charset=utf-16')).status).toBe(415)
  })

  test('400 for a variable: the environment of the server is never read', async () => {
    const { status, body } = await post(YAML.replace('name: Acme', `name: "\${PATH}"`))
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('variables are not resolved in requests')
    expect(JSON.stringify(body)).not.toContain(process.env.PATH ?? '-')
  })
})

describe('GET /api/builder/bundles', () => {
  test('200 with one organization or all of them as YAML, 404 for an unknown one', async () => {
    const all = await get(URL)
    expect(all.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(all.body).toContain('slug: acme')
    expect(all.body).toContain('slug: org-')
    const one = await get(`${URL}?organization=acme`)
    expect(one.body).not.toContain('slug: org-')
    expect((await post(one.body)).body).toMatchObject({
      organizations: [{ agents: { created: 0, updated: 0, unchanged: 1 } }],
    })
    const none = await get(`${URL}?organization=nobody`)
    expect(none.json()).toMatchObject({ error: 'organization_not_found' })
  })
})
