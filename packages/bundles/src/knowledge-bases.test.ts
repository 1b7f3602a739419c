import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { filesNamed } from './archive/files-named.ts'
import { exportBundle } from './export-bundle.ts'
import { bundleFolder } from './read/bundle-folder.ts'
import { parseText } from './read/parse-text.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
let directory: string
beforeAll(async () => {
  parts = await openBundleParts()
  directory = await mkdtemp(join(tmpdir(), 'troupe-bundle-'))
  await writeFile(join(directory, 'prices.csv'), 'item,price\nbike,900\n')
  await writeFile(join(directory, 'logo.bin'), Buffer.from([0, 1, 2, 3]))
  await symlink('/etc/hostname', join(directory, 'link.txt'))
})
afterAll(async () => {
  await parts[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const REFUNDS = '{ name: refunds.md, text: "Refunds take 14 days.", metadata: { region: eu } }'
const DOCUMENTS = [REFUNDS, '{ path: ./prices.csv }', '{ url: "https://shop.test/faq#top" }']

const bundle = (documents: readonly string[], more = '', agents = '') => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: support, name: Support }, { slug: sales, name: Sales }]
    llmConfigurations:
      - { slug: main, name: Main, providerId: sandbox, models: [{ modelId: sandbox-1 }] }
    knowledgeBases:
      - slug: handbook
        name: Handbook
        embedding: { llm_config: main, model_id: sandbox-embed-1 }
        ${more}
        documents: [${documents.map((document) => `\n          ${document}`).join(',')}]
    agents: [${agents}]
`

const apply = (text: string, to = parts) =>
  applyBundle(to, { text, variables: {}, actor: TEST_ACTOR, folder: bundleFolder(directory) })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ path, message }) => `${path.replace('organizations.0.', '')} ${message}`)
}

async function stored(from = parts) {
  const { read } = from.database
  const organization = await read.organizations.bySlug('acme')
  const [base] = organization ? await read.knowledge.list(organization.id) : []
  if (!organization || !base) throw new Error('no base')
  const { rows } = await read.knowledge.documentPage(organization.id, base.id, { page: 1, limit: 50 })
  const [agent] = await read.agents.list(organization.id)
  const named = (name: string) => rows.find((row) => row.name === name)
  return { organization, base, rows, agent, named }
}

const counts = async (applied: ReturnType<typeof apply>) => {
  const [organization] = (await applied).organizations
  return [organization?.knowledgeBases, organization?.documents].map((one) => Object.values(one ?? {}))
}

test('a base with a text, a file and a URL is created, an agent names it, and applying again changes nothing', async () => {
  const agent = '{ slug: desk, name: Desk, project: support, config: { knowledge: { bases: [handbook] } } }'
  const text = bundle(DOCUMENTS, 'chunk_tokens: 200', agent)
  expect(await counts(apply(text))).toEqual([
    [1, 0, 0],
    [3, 0, 0],
  ])
  const { base, rows, named, agent: desk } = await stored()
  expect(base).toMatchObject({ slug: 'handbook', lang: 'english', chunkTokens: 200, overlapTokens: 60 })
  expect(base.embedding?.modelId).toBe('sandbox-embed-1')
  expect(rows.map(({ source, status }) => [source, status]).toSorted()).toEqual([
    ['file', 'queued'],
    ['text', 'queued'],
    ['url', 'queued'],
  ])
  expect(named('refunds.md')?.metadata).toEqual({ region: 'eu' })
  expect(named('https://shop.test/faq#top')?.url).toBe('https://shop.test/faq')
  expect(await parts.documents.text(named('prices.csv')?.storageKey ?? '')).toBe('item,price\nbike,900\n')
  expect(desk?.config.knowledge.base_ids).toEqual([base.id])
  expect(parts.told).toContain('documents')
  parts.told.length = 0
  expect(await counts(apply(text))).toEqual([
    [0, 0, 1],
    [0, 0, 3],
  ])
  expect(parts.told).toEqual([])
  expect((await stored()).rows).toEqual(rows)
})

test('other content under the same name is read again, an absent document is kept, and the same content may be renamed', async () => {
  const before = await stored()
  const other = REFUNDS.replace('14', '30')
  const renamed = '{ name: faq, url: "https://shop.test/faq" }'
  expect(await counts(apply(bundle([other, renamed])))).toEqual([
    [0, 1, 0],
    [0, 2, 0],
  ])
  const after = await stored()
  expect(after.rows).toHaveLength(3)
  const [was, is] = [before.named('refunds.md'), after.named('refunds.md')]
  expect(is?.id).toBe(was?.id)
  expect(await parts.documents.text(is?.storageKey ?? '')).toBe('Refunds take 30 days.')
  expect(await parts.documents.text(was?.storageKey ?? '')).toBeNull()
  expect(after.named('faq')?.id).toBe(before.named('https://shop.test/faq#top')?.id)
  expect(after.named('prices.csv')?.contentHash).toBe(before.named('prices.csv')?.contentHash)
})

test('an export changes nothing at its origin, and describes the same base elsewhere', async () => {
  const text = await exportBundle(parts, 'acme')
  expect(text).toContain('bases:\n')
  expect(await counts(apply(text))).toEqual([
    [0, 0, 1],
    [0, 0, 3],
  ])
  await using elsewhere = await openBundleParts()
  const refused = await apply(text, elsewhere).catch((error: unknown) => error)
  expect(refused).toMatchObject({ problems: [{ message: expect.stringContaining('needs text, path') }] })
  await apply(text.replace('- name: prices.csv', '- path: prices.csv'), elsewhere)
  const [here, there] = [await stored(), await stored(elsewhere)]
  expect(there.rows.map(({ contentHash }) => contentHash).toSorted()).toEqual(
    here.rows.map(({ contentHash }) => contentHash).toSorted(),
  )
  expect(there.agent?.config).toEqual(here.agent?.config)
})

test('the files of a bundle are found once, with the paths of missing ones', async () => {
  const documents = ['{ path: ./prices.csv }', '{ name: again.csv, path: prices.csv }', '{ path: none.md }']
  const { value } = parseText(bundle(documents), {})
  const { files, problems } = await filesNamed(value, bundleFolder(directory))
  expect(files.map(({ path }) => path)).toEqual(['prices.csv'])
  expect(problems).toEqual([
    { path: 'organizations.0.knowledgeBases.0.documents.2.path', message: 'cannot be read (ENOENT)' },
  ])
})

test('unusable documents are refused with their paths, and nothing is stored', async () => {
  const before = await stored()
  const wrong = [
    '{ name: a, text: x, url: "https://a.test" }',
    '{ text: x }',
    '{ path: ../outside.md }',
    '{ path: /etc/hostname }',
    '{ path: link.txt }',
    '{ path: none.md }',
    '{ path: logo.bin }',
    '{ name: b.md, base64: "?" }',
    '{ name: c, url: "file:///etc/passwd" }',
    '{ name: missing.md }',
    '{ name: d.md, text: same }',
    '{ name: e.md, text: same }',
  ]
  const at = (index: number, message: string) => `knowledgeBases.0.documents.${index}${message}`
  expect(await problemsOf(bundle(wrong))).toEqual([
    at(0, ' must contain only one of text, path, base64, url'),
    at(1, '.name is required'),
    at(2, ".path must be a file inside the bundle's folder"),
    at(3, ".path must be a file inside the bundle's folder"),
    at(4, ".path must be a file inside the bundle's folder"),
    at(5, '.path cannot be read (ENOENT)'),
    expect.stringContaining(at(6, '.path must be pdf')),
    at(7, '.base64 must be base64'),
    at(8, '.url must be an http or https URL'),
    at(9, ' needs text, path, base64 or url: no document of this name is stored'),
    expect.stringContaining(at(11, ' has the content of another document on line')),
  ])
  expect((await stored()).rows).toEqual(before.rows)
})

test('an unusable base is refused with its path', async () => {
  expect(await problemsOf(bundle([], 'overlap_tokens: 300'))).toEqual([
    'knowledgeBases.0.overlap_tokens must be at most half of chunk_tokens (400)',
  ])
  expect(await problemsOf(bundle([]).replace('llm_config: main', 'llm_config: none'))).toEqual([
    'knowledgeBases.0.embedding.llm_config is not an LLM configuration of this organization: none',
  ])
  expect(await problemsOf(bundle([]).replace('llm_config: main, ', ''))).toEqual([
    'knowledgeBases.0.embedding.llm_config is required',
  ])
  expect(await problemsOf(bundle([], 'project: sales'))).toEqual([
    'knowledgeBases.0.project must not change: agents may use the knowledge base',
  ])
  const agent = (bases: string) =>
    `{ slug: desk, name: Desk, project: support, config: { knowledge: { bases: [${bases}] } } }`
  expect(await problemsOf(bundle([], '', agent('nothing')))).toEqual([
    'agents.0.config.knowledge.bases.0 is not a knowledge base of this organization: nothing',
  ])
})

test('without a folder, a path is refused', async () => {
  const source = { text: bundle(['{ path: prices.csv }']), variables: null, actor: TEST_ACTOR }
  const error = await applyBundle(parts, source).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    problems: [{ message: expect.stringContaining('send both in a zip archive'), line: 15 }],
  })
})
