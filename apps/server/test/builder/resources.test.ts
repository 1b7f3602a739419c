import type { KnowledgeBase, KnowledgeDocument, Skill } from '@troupe/contract'
import { zip } from '@troupe/documents/testing/zip'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let eva: Awaited<ReturnType<typeof asMember>>
let viewer: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
  viewer = await asMember(server, 'viewer')
})
afterAll(() => server[Symbol.asyncDispose]())

test('a member fills and searches a knowledge base; API keys access the same one', async () => {
  const made = await eva.send('POST /knowledge-bases', { name: 'Handbook', lang: 'english', embedding: null })
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name: 'Handbook' })])
  const { knowledgeBaseId } = made.body as KnowledgeBase
  const text = 'Refunds take 14 days.'
  const added = await eva.send(`POST /knowledge-bases/${knowledgeBaseId}/documents`, {
    name: 'refunds.md',
    text,
  })
  expect(added.status).toBe(202)
  await expect
    .poll(async () => (await viewer.send(`GET /knowledge-bases/${knowledgeBaseId}/documents`)).body, {
      timeout: 20_000,
    })
    .toMatchObject({ total: 1, data: [{ name: 'refunds.md', status: 'ready' }] })
  const listed = await viewer.send(`GET /knowledge-bases?q=${knowledgeBaseId}`)
  expect(listed.body).toMatchObject({ total: 1, data: [{ knowledgeBaseId }] })
  const found = await eva.send('POST /knowledge-bases/search', {
    base_ids: [knowledgeBaseId],
    query: 'refunds',
  })
  expect(found.body).toMatchObject({
    data: [{ documentName: 'refunds.md', text: expect.stringContaining('14 days') }],
  })
  expect((await server.call(`GET /api/v1/knowledge-bases/${knowledgeBaseId}`)).status).toBe(200)
  expect((await eva.send(`DELETE /knowledge-bases/${knowledgeBaseId}`)).status).toBe(204)
})

test('a written document is read with its passages and edited under its id; an edit of an older text is refused', async () => {
  const base = { name: 'Written', lang: 'english', embedding: null, chunk_tokens: 50, overlap_tokens: 0 }
  const made = await eva.send('POST /knowledge-bases', base)
  const documents = `/knowledge-bases/${(made.body as KnowledgeBase).knowledgeBaseId}/documents`
  const add = async (body: object) => (await eva.send(`POST ${documents}`, body)).body as KnowledgeDocument
  const first = Array.from({ length: 12 }, (_, at) => `Rule ${at}: ${'refunds take a while. '.repeat(8)}`)
  const text = first.join('\n\n')
  const { documentId } = await add({ name: 'rules.md', text, metadata: { region: 'eu' } })
  const other = await add({ name: 'other.md', text: 'Something else.' })
  const at = `${documents}/${documentId}`
  const isRead = () =>
    expect
      .poll(async () => (await viewer.send(`GET ${at}`)).body, { timeout: 20_000 })
      .toMatchObject({ status: 'ready' })
  await isRead()

  const passages: { index: number; text: string }[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page = await viewer.send(`GET ${at}/passages?limit=5${next && `&after=${next}`}`)
    const { data, next: after } = page.body as { data: typeof passages; next: string | null }
    expect(data.length).toBeLessThanOrEqual(5)
    passages.push(...data)
    next = after
  }
  expect(passages.map(({ index }) => index)).toEqual(passages.map((_, index) => index))
  expect(passages.length).toBeGreaterThan(5)
  for (const rule of ['Rule 0:', 'Rule 11:']) {
    expect(passages.some((passage) => passage.text.includes(rule))).toBe(true)
  }
  expect(await viewer.send(`GET ${at}/passages?after=x`)).toMatchObject({ status: 400 })

  const read = (await viewer.send(`GET ${at}/text`)).body as { text: string; contentHash: string }
  expect(read.text).toBe(text)
  const edit = { name: 'rules.md', text: 'Refunds take 3 days.', metadata: {}, contentHash: read.contentHash }
  expect((await viewer.send(`PUT ${at}`, edit)).status).toBe(403)
  expect((await eva.send(`PUT ${at}`, { ...edit, text: 'Something else.' })).body).toMatchObject({
    error: 'validation_error',
    errors: [{ path: 'text', message: 'is already the content of “other.md”' }],
  })
  expect(await eva.send(`PUT ${at}`, edit)).toMatchObject({
    status: 200,
    body: { documentId, name: 'rules.md', status: 'queued', metadata: {} },
  })
  await isRead()
  expect((await viewer.send(`GET ${at}/text`)).body).toMatchObject({ text: edit.text })
  expect((await viewer.send(`GET ${at}/passages`)).body).toMatchObject({
    data: [{ index: 0, page: null, text: expect.stringContaining('3 days') }],
    next: null,
  })
  expect(await eva.send(`PUT ${at}`, { ...edit, text: 'Mine.' })).toMatchObject({
    status: 409,
    body: { error: 'version_conflict', current: { changedBy: { name: 'Eva' } } },
  })
  // A new name alone does not re-read the text.
  const { contentHash } = (await viewer.send(`GET ${at}`)).body as KnowledgeDocument
  expect((await eva.send(`PUT ${at}`, { ...edit, name: 'days.md', contentHash })).body).toMatchObject({
    ...{ name: 'days.md', status: 'ready' },
  })
  expect((await eva.send(`PUT ${at}`, { metadata: { region: 'us' } })).body).toMatchObject({
    ...{ name: 'days.md', status: 'ready', contentHash, metadata: { region: 'us' } },
  })
  expect((await eva.send(`PUT ${at}`, { text: 'Unseen.' })).body).toMatchObject({
    errors: [{ path: 'contentHash', message: 'is required with text' }],
  })
  expect((await viewer.send(`GET ${at}/text`)).body).toMatchObject({ text: edit.text })
  // An edit without changes is not reported.
  const nothing = { name: 'days.md', text: edit.text, metadata: { region: 'us' }, contentHash }
  expect((await eva.send(`PUT ${at}`, nothing)).status).toBe(200)
  const audit = (await asOperator(server).send('GET /audit?limit=50')).body as {
    data: { action: string; entity: { id: string }; before: unknown; after: unknown }[]
  }
  const edits = audit.data.filter(
    ({ action, entity }) => action === 'knowledge_document.updated' && entity.id === documentId,
  )
  expect(edits).toHaveLength(3)
  expect(edits[0]).toMatchObject({
    before: { name: 'days.md', metadata: {} },
    after: { name: 'days.md', metadata: { region: 'us' } },
  })
  expect((await viewer.send(`GET ${documents}/${other.documentId}/text`)).body).toMatchObject({
    text: 'Something else.',
  })
})

test('a text with many multi-byte characters is added and edited', async () => {
  const made = await eva.send('POST /knowledge-bases', { name: 'Long', embedding: null })
  const documents = `/knowledge-bases/${(made.body as KnowledgeBase).knowledgeBaseId}/documents`
  const text = 'é'.repeat(600_000)
  const added = await eva.send(`POST ${documents}`, { name: 'long.md', text })
  expect(added).toMatchObject({ status: 202, body: { sizeBytes: 1_200_000 } })
  const { documentId, contentHash } = added.body as KnowledgeDocument
  const edit = { text: `${text}ü`, contentHash }
  expect(await eva.send(`PUT ${documents}/${documentId}`, edit)).toMatchObject({
    status: 200,
    body: { name: 'long.md', sizeBytes: 1_200_002 },
  })
})

test('the text of a file cannot be edited, because only its passages are stored', async () => {
  const made = await eva.send('POST /knowledge-bases', { name: 'Files', embedding: null })
  const documents = `/knowledge-bases/${(made.body as KnowledgeBase).knowledgeBaseId}/documents`
  const form = new FormData()
  form.append('file', new Blob(['From a file.']), 'file.md')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const added = await server.app.inject({
    method: 'POST',
    url: `/api/builder/v1/organizations/${server.seed.organizationId}${documents}`,
    headers: {
      cookie: eva.cookie,
      origin: ownOrigin(server),
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  const { documentId, contentHash } = added.json() as KnowledgeDocument
  expect((await viewer.send(`GET ${documents}/${documentId}/text`)).body).toEqual({ text: null, contentHash })
  const edit = { name: 'file.md', text: 'Mine.', metadata: {}, contentHash }
  expect(await eva.send(`PUT ${documents}/${documentId}`, edit)).toMatchObject({ status: 400 })
})

test('a member uploads a skill, and the operator deletes it', async () => {
  const files = { 'SKILL.md': '---\nname: refunds\ndescription: Handles refunds.\n---\nBe kind.\n' }
  const { status, body } = await eva.send('POST /skills', { files })
  expect([status, body]).toEqual([201, expect.objectContaining({ slug: 'refunds', version: 1 })])
  const { skillId } = body as Skill
  expect((await viewer.send(`GET /skills/${skillId}`)).body).toMatchObject({
    description: 'Handles refunds.',
  })
  const found = (q: string) => viewer.send(`GET /skills?q=${q}`)
  expect((await found(skillId.slice(0, 34).toUpperCase())).body).toMatchObject({ data: [{ skillId }] })
  expect((await found('nothing')).body).toMatchObject({ total: 0 })
  expect((await asOperator(server).send(`DELETE /skills/${skillId}`)).status).toBe(204)
})

test('a tool is called once as configured; its failure is a normal response', async () => {
  const tool = { type: 'builtin', builtin: 'calculator' }
  const call = (expression: string) => eva.send('POST /tools/test', { tool, arguments: { expression } })
  expect((await call('6 * 7')).body).toMatchObject({ ok: true, result: '42' })
  expect((await call('6 *')).body).toMatchObject({ ok: false })
})

test('memories of agents are listed and deleted', async () => {
  const { seed, context } = server
  const { organizationId, agents } = seed
  const owner = { organizationId, projectId: null, kind: 'agent', entityId: agents.organization } as const
  const about = { ...owner, scope: 'agent', userId: 'ana' } as const
  const add = [{ text: 'Likes tea.', fingerprint: 'likes tea' }]
  await context.database.memories.change(about, { add, forget: [] }, 10)
  expect((await viewer.send('GET /memories?user_id=ana')).body).toMatchObject({
    total: 1,
    data: [{ text: 'Likes tea.' }],
  })
  expect((await viewer.send('DELETE /memories?user_id=ana')).status).toBe(403)
  expect((await eva.send('DELETE /memories?user_id=ana')).status).toBe(204)
  expect((await viewer.send('GET /memories?user_id=ana')).body).toMatchObject({ total: 0 })
})

test('the next version of a skill is refused if it was made from an older one', async () => {
  const skill = (text: string, baseVersion?: number) => ({
    files: { 'SKILL.md': `---\nname: offers\ndescription: Writes offers.\n---\n${text}` },
    ...(baseVersion && { baseVersion }),
  })
  // A missing skill has no newer version.
  expect((await eva.send('POST /skills', skill('First.', 4))).body).toMatchObject({ version: 1 })
  expect((await eva.send('POST /skills', skill('Second.', 1))).body).toMatchObject({ version: 2 })
  expect(await eva.send('POST /skills', skill('Mine.', 1))).toMatchObject({
    status: 409,
    body: { error: 'version_conflict', current: { number: 2, changedBy: { kind: 'user' } } },
  })
  // Existing content replaces nothing.
  expect(await eva.send('POST /skills', skill('Second.', 1))).toMatchObject({ status: 200 })
  expect((await eva.send('POST /skills', skill('Mine.', 2))).body).toMatchObject({ version: 3 })
  expect((await eva.send('POST /skills', skill('Whatever.'))).body).toMatchObject({ version: 4 })
})

test('a skill declared as new never becomes the next version of an existing one', async () => {
  const skill = (text: string, more: object = {}) => ({
    files: { 'SKILL.md': `---\nname: greetings\ndescription: Greets.\n---\n${text}` },
    ...more,
  })
  const mustBeNew = true
  const made = await eva.send('POST /skills', skill('First.', { mustBeNew }))
  expect(made).toMatchObject({ status: 201, body: { version: 1 } })
  const { skillId } = made.body as Skill
  expect(await eva.send('POST /skills', skill('Mine.', { mustBeNew }))).toMatchObject({
    status: 409,
    body: { error: 'slug_taken', current: { id: skillId, number: 1, changedBy: { name: 'Eva' } } },
  })
  expect((await viewer.send(`GET /skills/${skillId}`)).body).toMatchObject({ version: 1 })
  // A request that is repeated because its response was lost.
  expect(await eva.send('POST /skills', skill('First.', { mustBeNew }))).toMatchObject({ status: 200 })
  const { projectId } = server.seed
  expect(await eva.send('POST /skills', skill('Mine.', { mustBeNew, projectId }))).toMatchObject({
    status: 201,
    body: { projectId, version: 1 },
  })
})

test('of two concurrent new skills with one name, one is refused', async () => {
  const skill = (text: string) => ({
    files: { 'SKILL.md': `---\nname: racing\ndescription: Races.\n---\n${text}` },
    mustBeNew: true,
  })
  const answers = await Promise.all(['Mine.', 'Yours.'].map((text) => eva.send('POST /skills', skill(text))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('an edit of a skill is never stored as another skill', async () => {
  const skill = (name: string, text: string, more: object = {}) => ({
    files: { 'SKILL.md': `---\nname: ${name}\ndescription: Does things.\n---\n${text}` },
    ...more,
  })
  const mine = (await eva.send('POST /skills', skill('letters', 'First.'))).body as Skill
  const other = (await eva.send('POST /skills', skill('parcels', 'First.'))).body as Skill
  const edit = { skillId: mine.skillId.toUpperCase(), baseVersion: 1 }
  const errors = [{ path: 'files.SKILL.md', message: expect.stringContaining('name: must stay “letters”') }]
  // The numbers match, the content exists, and the name is new.
  for (const [name, text] of [
    ['parcels', 'Mine.'],
    ['parcels', 'First.'],
    ['boxes', 'Mine.'],
  ] as const) {
    expect(await eva.send('POST /skills', skill(name, text, edit))).toMatchObject({
      status: 400,
      body: { error: 'validation_error', errors },
    })
  }
  expect((await viewer.send(`GET /skills/${other.skillId}`)).body).toMatchObject({ version: 1 })
  expect((await viewer.send('GET /skills?q=boxes')).body).toMatchObject({ total: 0 })
  expect((await eva.send('POST /skills', skill('letters', 'Mine.', edit))).body).toMatchObject({
    skillId: mine.skillId,
    version: 2,
  })
  await eva.send(`DELETE /skills/${mine.skillId}`)
  expect(await eva.send('POST /skills', skill('letters', 'Again.', edit))).toMatchObject({
    status: 404,
    body: { error: 'skill_not_found' },
  })
  expect((await viewer.send('GET /skills?q=letters')).body).toMatchObject({ total: 0 })
})

test('the next version of a skill has the skill’s project in its body', async () => {
  const { projectId } = server.seed
  const skill = (text: string, more: object = {}) => ({
    files: { 'SKILL.md': `---\nname: labels\ndescription: Does things.\n---\n${text}` },
    ...more,
  })
  const { skillId } = (await eva.send('POST /skills', skill('First.', { projectId }))).body as Skill
  const edit = { skillId, baseVersion: 1 }
  const refused = {
    status: 400,
    body: {
      error: 'validation_error',
      errors: [{ path: 'projectId', message: 'must be that of the skill' }],
    },
  }
  expect(await eva.send('POST /skills', skill('Mine.', edit))).toMatchObject(refused)
  // The query has the project of an archive only, but the base of any upload.
  const query = `projectId=${projectId}&skillId=${skillId}`
  expect(await eva.send(`POST /skills?${query}`, skill('Mine.'))).toMatchObject(refused)
  expect((await viewer.send('GET /skills?q=labels')).body).toMatchObject({ total: 1, data: [{ version: 1 }] })
  expect((await eva.send('POST /skills', skill('Mine.', { ...edit, projectId }))).body).toMatchObject({
    ...{ skillId, projectId },
    version: 2,
  })
  const shared = (await eva.send(`POST /skills?projectId=${projectId}`, skill('Shared.'))).body
  expect(shared).toMatchObject({ projectId: null, version: 1 })
})

test('an archive made from an older version, or of another skill, is refused', async () => {
  const upload = async (name: string, text: string, query = '') => {
    const data = `---\nname: ${name}\ndescription: Does things.\n---\n${text}`
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(zip([{ name: 'SKILL.md', data }]))]), 'skill.zip')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/builder/v1/organizations/${server.seed.organizationId}/skills${query}`,
      headers: {
        cookie: eva.cookie,
        origin: ownOrigin(server),
        'content-type': request.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() as unknown }
  }
  const { skillId } = (await upload('archives', 'First.')).body as Skill
  const from = (version: number) => `?skillId=${skillId}&baseVersion=${version}`
  expect((await upload('archives', 'Second.', from(1))).body).toMatchObject({ version: 2 })
  expect(await upload('archives', 'Mine.', from(1))).toMatchObject({
    status: 409,
    body: { error: 'version_conflict', current: { number: 2 } },
  })
  expect(await upload('others', 'Mine.', from(2))).toMatchObject({ status: 400 })
  expect((await upload('archives', 'Mine.', from(2))).body).toMatchObject({ skillId, version: 3 })
  expect(await upload('archives', 'New.', '?mustBeNew=true')).toMatchObject({
    status: 409,
    body: { error: 'slug_taken', current: { id: skillId, number: 3 } },
  })
})

test('a skill has its versions, the texts of its files, and its uses, by id and by slug', async () => {
  const skill = (text: string) => ({
    files: { 'SKILL.md': `---\nname: returns\ndescription: Handles returns.\n---\n${text}\n`, 'eu.md': 'EU' },
  })
  const made = await eva.send('POST /skills', skill('First.'))
  const { skillId } = made.body as Skill
  await eva.send('POST /skills', skill('Second.'))
  expect((await viewer.send(`GET /skills/${skillId}/versions`)).body).toMatchObject({
    total: 2,
    data: [{ version: 2, files: [{ path: 'SKILL.md' }, { path: 'eu.md' }] }, { version: 1 }],
  })
  const text = async (query: string) => (await viewer.send(`GET /skills/${skillId}/file?${query}`)).body
  expect(await text('path=SKILL.md')).toMatchObject({ version: 2, text: expect.stringContaining('Second.') })
  expect(await text('path=SKILL.md&version=1')).toMatchObject({ text: expect.stringContaining('First.') })
  expect(await text('path=constructor')).toMatchObject({ errors: [{ path: 'path' }] })
  expect(await text('path=SKILL.md&version=9')).toMatchObject({ error: 'version_not_found' })
  await eva.send('POST /agents', { name: 'By id', config: { skills: [{ skill_id: skillId }] } })
  await eva.send('POST /agents', { name: 'By slug', config: { skills: [{ slug: 'returns' }] } })
  expect((await viewer.send(`GET /resource-users?kind=skill&ids=${skillId}`)).body).toMatchObject({
    data: [
      { of: skillId, kind: 'agent', name: 'By id' },
      { of: skillId, kind: 'agent', name: 'By slug' },
    ],
  })
  expect((await viewer.send('GET /skills?q=retur')).body).toMatchObject({ total: 1 })
  expect((await viewer.send('GET /skills?q=nothing')).body).toMatchObject({ total: 0 })
})

test('documents are found by name and status, and a failed one is re-read', async () => {
  const made = await eva.send('POST /knowledge-bases', { name: 'Faults' })
  const { knowledgeBaseId } = made.body as KnowledgeBase
  const documents = `/knowledge-bases/${knowledgeBaseId}/documents`
  await eva.send(`POST ${documents}`, { name: 'good.md', text: 'Good.' })
  await eva.send(`POST ${documents}`, { name: 'blank.md', text: ' ' })
  const listed = async (query: string) => (await viewer.send(`GET ${documents}?${query}`)).body
  await expect.poll(() => listed('status=failed'), { timeout: 20_000 }).toMatchObject({ total: 1 })
  await expect.poll(() => listed('status=ready'), { timeout: 20_000 }).toMatchObject({ total: 1 })
  expect(await listed('q=GOOD')).toMatchObject({ total: 1, data: [{ name: 'good.md' }] })
  const [failed] = ((await listed('status=failed')) as { data: { documentId: string }[] }).data
  const again = await eva.send(`POST ${documents}/${failed?.documentId}/reread`)
  expect(again).toMatchObject({ status: 202, body: { status: 'queued', error: null } })
  expect((await viewer.send(`POST ${documents}/${failed?.documentId}/reread`)).status).toBe(403)
  expect((await viewer.send('GET /knowledge-bases?q=FAULT')).body).toMatchObject({ total: 1 })
})

test('the audit log has the actors who added, re-read and deleted a document', async () => {
  const made = await eva.send('POST /knowledge-bases', { name: 'Audited' })
  const { knowledgeBaseId } = made.body as KnowledgeBase
  const documents = `/knowledge-bases/${knowledgeBaseId}/documents`
  const added = await eva.send(`POST ${documents}`, { name: 'promise.md', text: 'We promise.' })
  const { documentId } = added.body as { documentId: string }
  expect((await eva.send(`POST ${documents}`, { name: 'same.md', text: 'We promise.' })).status).toBe(200)
  expect((await eva.send(`POST ${documents}/${documentId}/reread`)).status).toBe(202)
  expect((await eva.send(`DELETE ${documents}/${documentId}`)).status).toBe(204)
  const { body } = await asOperator(server).send(`GET /audit?entityKind=knowledge_document&limit=3`)
  const named = { name: 'promise.md', baseId: knowledgeBaseId }
  expect(body).toMatchObject({
    data: ['deleted', 'reread', 'added'].map((what) => ({
      action: `knowledge_document.${what}`,
      entity: { id: documentId },
      actor: { name: 'Eva' },
      ...(what === 'deleted' ? { before: named, after: null } : { before: null, after: named }),
    })),
  })
})
