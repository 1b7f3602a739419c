import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
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
  await mkdir(join(directory, 'refunds/rules'), { recursive: true })
  await writeFile(join(directory, 'refunds/SKILL.md'), skillMd('refunds', 'Look the order up.'))
  await writeFile(join(directory, 'refunds/rules/eu.md'), 'Fourteen days.')
  await writeFile(join(directory, 'refunds/logo.bin'), Buffer.from([0, 255]))
  await symlink('/etc/hostname', join(directory, 'refunds/link.md'))
})
afterAll(async () => {
  await parts[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const skillMd = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Handles ${name}.\n---\n${body}\n`

const bundle = (skills: readonly string[], named = '[{ slug: refunds }]') => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: support, name: Support }]
    llmConfigurations:
      - { slug: main, name: Main, providerId: sandbox, default: true, models: [{ modelId: sandbox-1 }] }
    skills: [${skills.map((skill) => `\n      ${skill}`).join(',')}]
    agents: [{ slug: desk, name: Desk, project: support, config: { skills: ${named} } }]
`

const FOLDER = '{ slug: refunds, path: ./refunds }'
const inline = (slug: string, text: string, more = '') =>
  `{ slug: ${slug}, ${more} files: { SKILL.md: ${JSON.stringify(text)} } }`

const apply = (text: string, to = parts) =>
  applyBundle(to, { text, variables: {}, actor: TEST_ACTOR, folder: bundleFolder(directory) })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ path, message }) => `${path.replace('organizations.0.', '')} ${message}`)
}

const counts = async (applied: ReturnType<typeof apply>) =>
  Object.values((await applied).organizations[0]?.skills ?? {})

async function stored(from = parts) {
  const { read } = from.database
  const organization = await read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const { rows } = await read.skills.page(
    { organizationId: organization.id, projectId: null },
    { page: 1, limit: 50 },
  )
  return { rows, texts: await Promise.all(rows.map((row) => read.skills.texts(row))) }
}

test('a folder beside the bundle is a skill that agents name, and applying again changes nothing', async () => {
  expect(await counts(apply(bundle([FOLDER])))).toEqual([1, 0, 0])
  const { rows, texts } = await stored()
  expect(rows).toMatchObject([{ slug: 'refunds', version: 1, projectId: null }])
  expect(Object.keys(texts[0] ?? {})).toEqual(['SKILL.md', 'rules/eu.md'])
  expect(await counts(apply(bundle([FOLDER])))).toEqual([0, 0, 1])
  // Without files, the stored files are kept.
  expect(await counts(apply(bundle(['{ slug: refunds }'])))).toEqual([0, 0, 1])
})

test('other content is the next version, which the same bundle may pin', async () => {
  const changed = inline('refunds', skillMd('refunds', 'Ask first.'))
  const pinned = '[{ slug: refunds, pinned_version: 2 }]'
  expect(await counts(apply(bundle([changed], pinned)))).toEqual([0, 1, 0])
  expect((await stored()).rows).toMatchObject([{ version: 2 }])
})

test('a project has its own skill of a name', async () => {
  const own = inline('refunds', skillMd('refunds', 'Ours.'), 'project: support,')
  expect(await counts(apply(bundle(['{ slug: refunds }', own])))).toEqual([1, 0, 1])
  expect((await stored()).rows.map(({ projectId }) => projectId === null).toSorted()).toEqual([false, true])
})

test.each<[string, string[], string, string]>([
  [
    'a missing folder',
    ['{ slug: a, path: ./nothing }'],
    '[]',
    'skills.0.path must be a folder with a SKILL.md',
  ],
  ['a folder outside', ['{ slug: a, path: ../etc }'], '[]', 'skills.0.path must be a folder with a SKILL.md'],
  [
    'another name',
    ['{ slug: a, path: ./refunds }'],
    '[]',
    'skills.0.slug must be the name of the skill, refunds',
  ],
  [
    'a broken frontmatter',
    [inline('a', '---\nname: a\n---\n')],
    '[]',
    'skills.0.files SKILL.md, line 1: description',
  ],
  ['no files', ['{ slug: unheard-of }'], '[]', 'skills.0 must have files or a path'],
  ['the same twice', [FOLDER, FOLDER], '[]', 'skills.1.slug is used by another skill of this level'],
  ['an unknown skill', [], '[{ slug: nobody }]', 'agents.0.config.skills.0.slug does not exist'],
  ['an unknown skill by its level', [], '[{ skill: nobody }]', 'config.skills.0.skill is not a skill'],
  [
    'a skill of a level that has none',
    [inline('ours', skillMd('ours', 'Ours.'), 'project: support,')],
    '[{ skill: ours, project: null }]',
    'config.skills.0.skill is not a skill',
  ],
  [
    'an unknown project of a skill',
    [],
    '[{ skill: refunds, project: nowhere }]',
    'config.skills.0.project is not a project of this organization',
  ],
  ['a level that is no text', [], '[{ skill: refunds, project: 1 }]', 'config.skills.0.project must be'],
  [
    'a skill named twice',
    [],
    '[{ skill: refunds, skill_id: 0192f00d-0000-7000-8000-000000000000 }]',
    'config.skills.0.skill must not be given together with skill_id',
  ],
  [
    'an unknown version',
    [],
    '[{ slug: refunds, pinned_version: 9 }]',
    'agents.0.config.skills.0.pinned_version does not exist',
  ],
])('%s is a problem of its line', async (_, skills, named, expected) => {
  const problems = await problemsOf(bundle(skills, named))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(expected)
})

test('an export applied at its origin changes nothing, and creates the same skills elsewhere', async () => {
  const text = await exportBundle(parts, 'acme')
  expect(await counts(apply(text))).toEqual([0, 0, 2])
  await using other = await openBundleParts()
  expect(await counts(apply(text, other))).toEqual([2, 0, 0])
  expect((await stored(other)).texts.map((one) => one?.['SKILL.md']).toSorted()).toEqual(
    (await stored()).texts.map((one) => one?.['SKILL.md']).toSorted(),
  )
})

test('skills that agents name by id are exported by slug, with their level if the slug is ambiguous', async () => {
  const text = `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    agents:
      - { slug: desk, name: Desk, project: support, config: { skills: [{ pinned_version: 2, skill: refunds, project: null }] } }
      - { slug: other, name: Other, project: support, config: { skills: [{ skill: refunds }] } }
      - { slug: wide, name: Wide, config: { skills: [{ skill: refunds, project: support }] } }
`
  await apply(text)
  const exported = await exportBundle(parts, 'acme')
  expect(exported).not.toContain('skill_id')
  expect(exported).toMatch(/skills:\s+- pinned_version: 2\s+skill: refunds\s+project: null\n/)
  expect(exported).toMatch(/skills:\s+- skill: refunds\n/)
  expect(exported).toMatch(/skills:\s+- skill: refunds\s+project: support\n/)
  const again = await apply(exported)
  expect(again.organizations[0]?.agents).toEqual({ created: 0, updated: 0, unchanged: 3 })
})

test('a remote server receives the texts of a folder', async () => {
  const { value } = parseText(bundle([FOLDER]), {})
  const { files, problems } = await filesNamed(value, bundleFolder(directory))
  expect(problems).toEqual([])
  const texts = files.map(({ path, open }) => [path.split('/').slice(1).join('/'), String(open())])
  expect(texts).toContainEqual(['rules/eu.md', 'Fourteen days.'])
})
