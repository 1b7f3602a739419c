import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let embedding: { llm_config_id: string; model_id: string }
beforeAll(async () => {
  server = await startTestServer()
  embedding = { llm_config_id: server.seed.llm.organization, model_id: 'sandbox-embed-1' }
})
afterAll(() => server[Symbol.asyncDispose]())

const PATH = '/api/v1/knowledge-bases'
const post = (path: string, body: object | string, headers?: Record<string, string>) =>
  server.call(`POST ${PATH}${path}`, { body, ...(headers && { headers }) })

async function base(fields: object = { embedding }): Promise<string> {
  const { status, body } = await post('', { name: 'Handbook', ...fields })
  expect([status, body]).toMatchObject([201, { chunks: 0 }])
  return (body as KnowledgeBase).knowledgeBaseId
}

async function settled(baseId: string, documentId: string): Promise<KnowledgeDocument> {
  const read = async () => {
    const { body } = await server.call(`GET ${PATH}/${baseId}/documents/${documentId}`)
    return body as KnowledgeDocument
  }
  await expect.poll(async () => (await read()).status).not.toBe('queued')
  return read()
}

async function add(baseId: string, document: object): Promise<KnowledgeDocument> {
  const { status, body } = await post(`/${baseId}/documents`, document)
  expect([status, body]).toMatchObject([202, { status: 'queued' }])
  return settled(baseId, (body as KnowledgeDocument).documentId)
}

const search = async (body: object) => {
  const answer = await post('/search', body)
  expect(answer.status).toBe(200)
  return (answer.body as { data: { text: string; documentName: string; similarity: number | null }[] }).data
}

const HANDBOOK = '# Refunds\n\nRefunds take 14 days.\n\n# Shipping\n\nShipping to Norway costs 9 euros.'

test('a text is ingested, and found by its meaning and its words', async () => {
  const baseId = await base()
  const document = await add(baseId, { name: 'handbook.md', text: HANDBOOK, metadata: { region: 'eu' } })
  expect(document).toMatchObject({ status: 'ready', chunks: 2, error: null, source: 'text' })
  const [first] = await search({ base_ids: [baseId], query: 'How long do refunds take?', top_k: 1 })
  expect(first).toMatchObject({ text: '# Refunds\n\nRefunds take 14 days.', documentName: 'handbook.md' })
  expect(first?.similarity).toBeGreaterThan(0.5)
  const { body } = await server.call(`GET ${PATH}/${baseId}`)
  expect(body).toMatchObject({ documents: { queued: 0, ready: 1, failed: 0 }, chunks: 2, embedding })
})

test('filters and the minimum similarity limit the results', async () => {
  const baseId = await base()
  await add(baseId, { name: 'eu.md', text: 'Refunds take 14 days.', metadata: { region: 'eu' } })
  await add(baseId, { name: 'us.md', text: 'Refunds take 30 days.', metadata: { region: 'us' } })
  const asked = { base_ids: [baseId], query: 'refunds take days' }
  const names = (found: { documentName: string }[]) => found.map((one) => one.documentName)
  expect(names(await search({ ...asked, filters: { region: 'us' } }))).toEqual(['us.md'])
  expect(await search({ ...asked, query: 'weather', min_score: 0.9 })).toEqual([])
  expect(await search({ ...asked, min_score: 0.5 })).toHaveLength(2)
})

test('without an embedding model words are searched', async () => {
  const baseId = await base({ lang: 'german' })
  await add(baseId, { name: 'a.md', text: 'Die Rückgabe dauert vierzehn Tage.' })
  const found = await search({ base_ids: [baseId], query: 'Rückgaben' })
  expect(found).toMatchObject([{ similarity: null, documentName: 'a.md' }])
})

test('the same content again is the existing document, and costs no embedding', async () => {
  const baseId = await base()
  const first = await add(baseId, { name: 'a.md', text: HANDBOOK })
  const again = await post(`/${baseId}/documents`, { name: 'b.md', text: HANDBOOK })
  expect([again.status, again.body]).toEqual([200, first])
  const { body } = await server.call(`GET ${PATH}/${baseId}/documents`)
  expect(body).toMatchObject({ total: 1 })
})

test('a file is ingested in the same way, and one of an unknown kind is refused', async () => {
  const baseId = await base()
  const file = (name: string, content: string) =>
    post(
      `/${baseId}/documents`,
      `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--x--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=x' },
    )
  const { status, body } = await file('prices.csv', 'item,price\nbike,900')
  expect(status).toBe(202)
  const document = await settled(baseId, (body as KnowledgeDocument).documentId)
  expect(document).toMatchObject({ status: 'ready', source: 'file', name: 'prices.csv' })
  const composed = await file('Pru\u0308fung.md', 'Exams are in May.')
  expect(composed.body).toMatchObject({ name: 'Pr\u00fcfung.md' })
  const full = await file(`letter.md"; filename*=UTF-8''%E2%82%AC%20letter.md; x="`, 'A letter.')
  expect(full.body).toMatchObject({ name: '€ letter.md' })
  expect(await file('x.exe', 'MZ')).toMatchObject({ status: 422, body: { error: 'unsupported_document' } })
})

test('a URL is fetched as a page, and refetched when it is sent again', async () => {
  let page = '<html><body><h1>Refunds</h1><script>no()</script><p>They take 14 days.</p></body></html>'
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/faq`
  try {
    const baseId = await base()
    const document = await add(baseId, { url })
    expect(document).toMatchObject({ status: 'ready', source: 'url', url, name: url })
    expect((await search({ base_ids: [baseId], query: 'refunds' }))[0]?.text).toBe(
      '# Refunds\n\nThey take 14 days.',
    )
    page = page.replace('14', '30')
    const again = await add(baseId, { url })
    expect(again.documentId).toBe(document.documentId)
    const found = await search({ base_ids: [baseId], query: 'refunds' })
    expect(found.map(({ text }) => text)).toEqual(['# Refunds\n\nThey take 30 days.'])
  } finally {
    await new Promise((resolve) => site.close(resolve))
  }
})

test('an unreadable document has failed, with a message', async () => {
  const baseId = await base()
  const document = await add(baseId, { name: 'empty.md', text: ' \n ' })
  expect(document).toMatchObject({ status: 'failed', error: 'The document has no text.', chunks: 0 })
  const inside = await add(baseId, { url: 'http://169.254.169.254/secret' })
  expect(inside).toMatchObject({ status: 'failed', error: expect.stringContaining('only public addresses') })
})

test('invalid requests get the reason', async () => {
  const baseId = await base()
  const refused = async (path: string, body: object) => {
    const answer = await post(path, body)
    return [answer.status, (answer.body as { errors?: { path: string }[] }).errors?.[0]?.path]
  }
  expect(await refused(`/${baseId}/documents`, {})).toEqual([400, 'body'])
  expect(await refused(`/${baseId}/documents`, { text: 'a' })).toEqual([400, 'name'])
  expect(await refused(`/${baseId}/documents`, { url: 'file:///etc/passwd' })).toEqual([400, 'url'])
  expect(await refused('', { name: 'x', lang: 'klingon' })).toEqual([400, 'lang'])
  expect(await refused('', { name: 'x', chunk_tokens: 100, overlap_tokens: 80 })).toEqual([
    400,
    'overlap_tokens',
  ])
})

test('a new embedding model computes its vectors while the old ones are searched, then replaces them', async () => {
  const baseId = await base()
  await add(baseId, { name: 'a.md', text: HANDBOOK })
  const put = (body: object) => server.call(`PUT ${PATH}/${baseId}`, { body })
  const read = async () => (await server.call(`GET ${PATH}/${baseId}`)).body
  expect(await put({ name: 'Other' })).toMatchObject({ status: 200, body: { name: 'Other', embedding } })
  const broken = { ...embedding, model_id: 'sandbox-embed-9' }
  expect(await put({ embedding: broken })).toMatchObject({
    status: 200,
    body: { embedding, next_embedding: { ...broken, error: null } },
  })
  await server.context.knowledge.ingest.work()
  expect(await read()).toMatchObject({
    embedding,
    next_embedding: { error: expect.stringContaining('model') },
  })
  expect(await search({ base_ids: [baseId], query: 'refunds' })).toMatchObject([
    { similarity: expect.any(Number) },
    {},
  ])
  // A second configuration with the same model represents another model.
  const other = { ...embedding, llm_config_id: server.seed.llm.project }
  await server.call(`PUT ${PATH}/${baseId}`, { body: { embedding: null } })
  expect(await read()).toMatchObject({ embedding: null, next_embedding: null })
  expect(await search({ base_ids: [baseId], query: 'refunds' })).toMatchObject([{ similarity: null }])
  expect(await put({ embedding: other })).toMatchObject({ body: { embedding: null, next_embedding: other } })
  await server.context.knowledge.ingest.work()
  expect(await read()).toMatchObject({ embedding: other, next_embedding: null, chunks: 2 })
  const [first] = await search({ base_ids: [baseId], query: 'How long do refunds take?', top_k: 1 })
  expect(first?.similarity).toBeGreaterThan(0.5)
})

test('a base with its documents can be deleted', async () => {
  const baseId = await base()
  const { documentId } = await add(baseId, { name: 'a.md', text: HANDBOOK })
  const remove = (path: string) => server.call(`DELETE ${PATH}/${baseId}${path}`)
  expect((await remove(`/documents/${documentId}`)).status).toBe(204)
  expect(await search({ base_ids: [baseId], query: 'refunds' })).toEqual([])
  await add(baseId, { name: 'a.md', text: HANDBOOK })
  expect((await remove('')).status).toBe(204)
  expect((await remove('')).body).toMatchObject({ error: 'knowledge_base_not_found' })
})
