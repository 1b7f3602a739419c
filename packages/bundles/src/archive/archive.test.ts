import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { writeZip } from '@troupe/documents'
import { type ZipEntry, zip } from '@troupe/documents/testing/zip'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applyBundle } from '../apply-bundle.ts'
import { exportArchive, exportBundle, exportWithFiles } from '../export-bundle.ts'
import { bundleFolder } from '../read/bundle-folder.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from '../testing/bundle-parts.ts'
import { openBundleFile } from './open-bundle-file.ts'

let root: string
let count = 0
let parts: BundleParts
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'troupe-archives-'))
  parts = await seeded()
})
afterAll(async () => {
  await parts[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})
beforeEach(() => {
  count += 1
})

const LONG = `Bikes are insured for 400 days. ${'More of it. '.repeat(8_000)}`
const SKILL = `---\nname: refunds\ndescription: How refunds work.\n---\n${'Fourteen days. '.repeat(6_000)}`
const TEXT = `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    llmConfigurations:
      - { slug: main, name: Main, providerId: sandbox, models: [{ modelId: sandbox-1 }] }
    knowledgeBases:
      - slug: handbook
        name: "Hand/book: 2026"
        embedding: { llm_config: main, model_id: sandbox-embed-1 }
        documents:
          - { path: prices.csv }
          - { name: "CON.csv", path: device.csv }
          - { name: "Was kostet das? / 値段.csv", path: strange.csv }
          - { name: "page.html", text: ${JSON.stringify(LONG)} }
          - { name: "Terms", text: ${JSON.stringify(`${LONG} Terms.`)} }
          - { name: short, text: Closed on Mondays. }
          - { url: "https://shop.test/faq" }
    skills:
      - { slug: refunds, path: skill }
`

async function seeded(): Promise<BundleParts> {
  const made = await openBundleParts()
  const directory = await mkdtemp(join(root, 'source-'))
  await writeFile(join(directory, 'prices.csv'), 'item,price\nbike,900\n')
  await writeFile(join(directory, 'device.csv'), 'item,price\ncon,1\n')
  await writeFile(join(directory, 'strange.csv'), 'item,price\ntrike,1200\n')
  await mkdir(join(directory, 'skill', 'rules'), { recursive: true })
  await writeFile(join(directory, 'skill', 'SKILL.md'), SKILL)
  await writeFile(join(directory, 'skill', 'rules', 'eu.md'), 'Fourteen days in the EU.')
  await applyBundle(made, { text: TEXT, variables: {}, actor: TEST_ACTOR, folder: bundleFolder(directory) })
  return made
}

async function documentsOf(parts: BundleParts) {
  const organization = await parts.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('there is no organization')
  const scope = { organizationId: organization.id, projectId: null }
  const { rows: bases } = await parts.database.read.knowledge.basePage(scope, { page: 1, limit: 10 })
  const id = bases[0]?.id
  if (!id) throw new Error('there is no base')
  const page = { page: 1, limit: 100 }
  const { rows } = await parts.database.read.knowledge.documentPage(organization.id, id, page)
  return rows
    .map(({ name, source, contentType, contentHash, url }) => ({
      name,
      source,
      contentType,
      contentHash,
      url,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Applies the bundle at a path, like an operator's command. */
async function applied(path: string, to: BundleParts) {
  await using bundle = await openBundleFile(path)
  const { text, folder } = bundle
  return await applyBundle(to, { text, folder, variables: {}, actor: TEST_ACTOR })
}

async function archiveOf(parts: BundleParts): Promise<string> {
  const path = join(root, `export-${count}.zip`)
  await writeFile(path, Buffer.concat(await (await exportArchive(parts, 'acme')).toArray()))
  return path
}

test('an archive recreates documents and skills elsewhere, and changes nothing at its origin', async () => {
  const path = await archiveOf(parts)
  const here = await applied(path, parts)
  expect(here.organizations[0]?.documents).toEqual({ created: 0, updated: 0, unchanged: 7 })
  expect(here.organizations[0]?.skills).toEqual({ created: 0, updated: 0, unchanged: 1 })
  await using elsewhere = await openBundleParts()
  const there = await applied(path, elsewhere)
  expect(there.organizations[0]?.documents).toEqual({ created: 7, updated: 0, unchanged: 0 })
  expect(await documentsOf(elsewhere)).toEqual(await documentsOf(parts))
  const [skillHere, skillThere] = await Promise.all(
    [parts, elsewhere].map(async ({ database }) => {
      const organization = await database.read.organizations.bySlug('acme')
      const skills =
        organization &&
        (await database.read.skills.page(
          { organizationId: organization.id, projectId: null },
          { page: 1, limit: 10 },
        ))
      return skills?.rows[0]?.contentHash
    }),
  )
  expect(skillThere).toBe(skillHere)
})

test('the paths of an archive are names that every file system accepts', async () => {
  const paths: string[] = []
  for await (const { path, content } of await exportWithFiles(parts, 'acme')) {
    paths.push(path)
    if (!Buffer.isBuffer(content)) content.destroy()
  }
  expect(paths).toEqual([
    'files/acme/handbook/prices.csv',
    'files/acme/handbook/_CON.csv',
    'files/acme/handbook/Was kostet das_ _ 値段.csv',
    'files/acme/handbook/page.html.md',
    'files/acme/handbook/Terms.md',
    'skills/acme/refunds/SKILL.md',
    'skills/acme/refunds/rules/eu.md',
    'bundle.yaml',
  ])
})

test('the bundle alone is unchanged: it names its omissions', async () => {
  const yaml = await exportBundle(parts, 'acme')
  expect(yaml).toMatch(/^# Contents left out: .*document prices\.csv of handbook/m)
  expect(yaml).not.toContain('path:')
})

test('a file that is no longer stored is omitted, and the bundle notes it', async () => {
  const { organizations, knowledge } = parts.database.read
  const organization = await organizations.bySlug('acme')
  if (!organization) throw new Error('there is no organization')
  const scope = { organizationId: organization.id, projectId: null }
  const base = (await knowledge.basePage(scope, { page: 1, limit: 10 })).rows[0]
  const page = { page: 1, limit: 100 }
  const { rows } = base ? await knowledge.documentPage(organization.id, base.id, page) : { rows: [] }
  const key = rows.find(({ name }) => name === 'prices.csv')?.storageKey
  if (!key) throw new Error('there is no document')
  await parts.documents.delete([key])
  await using bundle = await openBundleFile(await archiveOf(parts))
  expect(bundle.text).toMatch(/^# Contents left out: document prices\.csv of handbook$/m)
  expect(bundle.text).not.toContain('path: files/acme/handbook/prices.csv')
  expect(bundle.text).toContain('path: files/acme/handbook/_CON.csv')
})

const BUNDLE = 'apiVersion: troupe/v1\norganizations: [{ slug: acme, name: Acme }]\n'

async function saved(entries: readonly ZipEntry[]): Promise<string> {
  const path = join(root, `given-${count}.zip`)
  await writeFile(path, zip(entries))
  return path
}

test('a folder with a bundle, and an archive of such a folder, are bundles', async () => {
  const folder = await mkdtemp(join(root, 'folder-'))
  await writeFile(join(folder, 'bundle.yaml'), BUNDLE)
  const inFolder = await saved([
    { name: 'acme/', data: '' },
    { name: 'acme/bundle.yaml', data: BUNDLE },
    { name: 'acme/files/a.md', data: 'A' },
    { name: '__MACOSX/acme/._bundle.yaml', data: 'x' },
  ])
  for (const path of [folder, inFolder]) {
    await using bundle = await openBundleFile(path)
    expect(bundle.text).toBe(BUNDLE)
  }
  await using bundle = await openBundleFile(inFolder)
  const found = await bundle.folder('files/a.md')
  if (!('path' in found)) throw new Error(found.problem)
  expect(await readFile(found.path, 'utf8')).toBe('A')
})

test('extracted files are deleted', async () => {
  const bundle = await openBundleFile(
    await saved([
      { name: 'bundle.yaml', data: BUNDLE },
      { name: 'a.md', data: 'A' },
    ]),
  )
  const found = await bundle.folder('a.md')
  await bundle[Symbol.asyncDispose]()
  if (!('path' in found)) throw new Error(found.problem)
  await expect(stat(found.path)).rejects.toMatchObject({ code: 'ENOENT' })
})

const MB = 1024 * 1024

test.each<[string, ZipEntry[], RegExp]>([
  ['without a bundle', [{ name: 'readme.txt', data: 'x' }], /no bundle\.yaml in it/],
  ['with a path outside', [{ name: '../bundle.yaml', data: BUNDLE }], /cannot be read: .*\.\./],
  ['with an absolute path', [{ name: '/etc/bundle.yaml', data: BUNDLE }], /cannot be read: absolute path/],
  [
    'with a name twice',
    [
      { name: 'bundle.yaml', data: BUNDLE },
      { name: 'bundle.yaml', data: BUNDLE },
    ],
    /the same name twice/,
  ],
  [
    'with a file that is a folder',
    [
      { name: 'a', data: 'x' },
      { name: 'a/b', data: 'x' },
    ],
    /the same name twice/,
  ],
  [
    'with a wrong checksum',
    [{ name: 'bundle.yaml', data: BUNDLE, claimedCrc: 1 }],
    /checksum of bundle\.yaml is wrong/,
  ],
  [
    'that inflates to too much',
    [{ name: 'bundle.yaml', data: Buffer.alloc(40 * MB) }],
    /more than 200 times its size/,
  ],
  [
    'that says that it is small',
    [{ name: 'bundle.yaml', data: Buffer.alloc(40 * MB), claimedSize: 100 }],
    /cannot be read/,
  ],
  [
    'with too many entries',
    Array.from({ length: 20_001 }, (_, index) => ({ name: `d${index}/`, data: '', raw: Buffer.alloc(0) })),
    /more than 20000 entries/,
  ],
])('an archive %s is refused with the reason', async (_, entries, message) => {
  await expect(openBundleFile(await saved(entries))).rejects.toThrow(message)
})

test('a stream that fails while an archive is written destroys the archive', async () => {
  const failing = new Readable({ read: () => undefined })
  const archive = writeZip(
    (async function* () {
      yield { path: 'a', content: failing }
    })(),
  )
  setImmediate(() => failing.destroy(new Error('the disk is gone')))
  await expect(archive.toArray()).rejects.toThrow('the disk is gone')
  const waiting = new Readable({ read: () => undefined })
  const left = writeZip(
    (async function* () {
      yield { path: 'a', content: waiting }
    })(),
  )
  left.once('error', () => undefined)
  await new Promise(setImmediate)
  left.destroy()
  await expect.poll(() => waiting.destroyed).toBe(true)
})
