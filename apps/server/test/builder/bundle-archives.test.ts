import type { KnowledgeBase } from '@troupe/contract'
import { docx, pdf } from '@troupe/documents/testing'
import { zip } from '@troupe/documents/testing/zip'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multipart } from '../forms/form-setting.ts'
import { asMember, asOperator } from './builder-caller.ts'

let from: TestServer
let to: TestServer
let archive: Buffer
let whole: Buffer

beforeAll(async () => {
  from = await startTestServer()
  to = await startTestServer()
  const made = await from.call('POST /api/v1/knowledge-bases', {
    body: {
      name: 'Handbook',
      embedding: { llm_config_id: from.seed.llm.organization, model_id: 'sandbox-embed-1' },
    },
  })
  const { knowledgeBaseId } = made.body as KnowledgeBase
  const files = [
    ['bikes.pdf', pdf(['Every bike is insured for 400 days.'])],
    ['staff.docx', docx(['Ada repairs tandems on Tuesdays.'])],
    ['prices.csv', Buffer.from('item,price\ntandem,2400\n')],
  ] as const
  for (const [filename, content] of files) {
    const answer = await send(from, `/api/v1/knowledge-bases/${knowledgeBaseId}/documents`, {
      parts: [{ name: 'file', filename, content }],
      headers: { 'x-api-key': from.seed.keys.organization },
    })
    expect(answer.status).toBe(202)
  }
  archive = await download(from, `/api/builder/v1/organizations/${from.seed.organizationId}/bundle/archive`)
  whole = await download(from, '/api/builder/bundles/archive')
})
afterAll(async () => {
  await from[Symbol.asyncDispose]()
  await to[Symbol.asyncDispose]()
})

type Parts = Parameters<typeof multipart>

async function send(
  server: TestServer,
  url: string,
  { parts, headers }: { parts: Parts; headers: Record<string, string> },
) {
  const { headers: type, payload } = multipart(...parts)
  const answer = await server.app.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

const operator = (server: TestServer) => ({ authorization: `Bearer ${server.adminToken}` })

async function download(server: TestServer, url: string): Promise<Buffer> {
  const answer = await server.app.inject({ method: 'GET', url, headers: operator(server) })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.bundle\.zip"$/)
  return answer.rawPayload
}

const file = (content: Buffer) => ({ name: 'file', filename: 'acme.zip', content })

async function found(server: TestServer, key: string, query: string): Promise<string[]> {
  const { body } = await server.call('GET /api/v1/knowledge-bases', { key })
  const bases = (body as { data: KnowledgeBase[] }).data.filter(({ name }) => name === 'Handbook')
  const search = { base_ids: bases.map(({ knowledgeBaseId }) => knowledgeBaseId), query, top_k: 3 }
  const answer = await server.call('POST /api/v1/knowledge-bases/search', { key, body: search })
  return (answer.body as { data: { documentName: string }[] }).data.map(({ documentName }) => documentName)
}

test('a member exports an organization with its documents, and another one finds them by search', async () => {
  const admin = await asMember(to, 'admin', 'Max')
  const path = `/api/builder/v1/organizations/${to.seed.organizationId}/bundle/archive`
  const headers = { cookie: admin.cookie, origin: 'http://localhost:3000' }
  const given = { name: 'bundle', content: JSON.stringify({ adopt: true }) }
  const plan = await send(to, `${path}/plan`, { parts: [given, file(archive)], headers })
  expect(plan).toMatchObject({
    status: 200,
    body: { errors: [], text: expect.stringContaining('bikes.pdf') },
  })
  const { changes, text } = plan.body as { changes: { kind: string; name: string }[]; text: string }
  expect(changes.filter(({ kind }) => kind === 'document')).toHaveLength(3)
  // The text may be changed before it is applied.
  const changed = {
    name: 'bundle',
    content: JSON.stringify({ adopt: true, text: text.replaceAll('bikes.pdf\n', 'bikes.pdf # ours\n') }),
  }
  const applied = await send(to, `${path}/apply`, { parts: [changed, file(archive)], headers })
  expect(applied).toMatchObject({
    status: 200,
    body: { organizations: [{ documents: { created: 3, updated: 0, unchanged: 0 } }] },
  })
  const key = to.seed.keys.organization
  await expect
    .poll(() => found(to, key, 'How long is a bike insured?'), { timeout: 30_000 })
    .toContain('bikes.pdf')
  await expect.poll(() => found(to, key, 'Who repairs tandems?'), { timeout: 30_000 }).toContain('staff.docx')
})

test('the operator applies an archive, and applying its export again changes nothing', async () => {
  const url = '/api/builder/bundles/archive'
  const sent = { parts: [file(whole)] as Parts, headers: operator(from) }
  const again = await send(from, url, sent)
  expect(again.status).toBe(200)
  const { organizations } = again.body as { organizations: { documents: object }[] }
  expect(organizations.map(({ documents }) => documents)).toContainEqual({
    created: 0,
    updated: 0,
    unchanged: 3,
  })
  expect((await send(from, url, { ...sent, headers: {} })).status).toBe(401)
})

test.each<[string, Parts, object]>([
  ['without an archive', [], { path: 'file' }],
  [
    'that is no archive',
    [file(Buffer.from('apiVersion: troupe/v1'))],
    { path: 'file', message: /cannot be read/ },
  ],
  ['without a bundle', [file(zip([{ name: 'a.md', data: 'A' }]))], { path: 'file', message: /no bundle/ }],
  [
    'that inflates to too much',
    [file(zip([{ name: 'bundle.yaml', data: Buffer.alloc(30_000_000) }]))],
    { path: 'file', message: /200 times/ },
  ],
  [
    'with a long bundle',
    [file(zip([{ name: 'bundle.yaml', data: `# ${'abcdefghij'.repeat(900_000)}` }]))],
    { path: 'file', message: /more than 8 MB/ },
  ],
  [
    'with words beside it that are not JSON',
    [{ name: 'bundle', content: '{' }, file(zip([{ name: 'bundle.yaml', data: 'x' }]))],
    { path: 'bundle', message: /must be JSON/ },
  ],
  [
    'with unknown fields beside it',
    [{ name: 'bundle', content: '{"adopts":true}' }, file(zip([{ name: 'bundle.yaml', data: 'x' }]))],
    { path: 'bundle.adopts' },
  ],
])('an upload %s is 400 and names the part', async (_, parts, {
  path,
  message = /./,
}: { path?: string; message?: RegExp }) => {
  const url = `/api/builder/v1/organizations/${to.seed.organizationId}/bundle/archive/plan`
  const answer = await send(to, url, { parts, headers: operator(to) })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'validation_error', errors: [{ path, message: expect.stringMatching(message) }] },
  })
})

test('only a multipart archive is accepted', async () => {
  const { status } = await asOperator(to).send('POST /bundle/archive/apply', { text: 'x' })
  expect(status).toBe(415)
})
