import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@troupe/agents/ports'
import { newId } from '@troupe/contract'
import { zip } from '@troupe/documents/testing/zip'
import { createDiskFileStore, IncomingFiles } from '@troupe/file-stores'
import { createHeavyWork } from '@troupe/heavy-work'
import { createPasswords, SecretBox } from '@troupe/secrets'
import { type Database, openDatabase } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readEnv } from '../config/env.ts'
import { applyBootBundle, describeBoot } from './boot.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-boot-'))
})
afterAll(() => rm(folder, { recursive: true }))

function boot(database: Database, env: Record<string, string>, variables: Record<string, string> = {}) {
  const context = {
    database,
    secretBox: new SecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]),
    newId,
    clock: systemClock,
    passwords: createPasswords(createHeavyWork(), { cost: 4 }),
    configChanges: { committed: () => undefined },
    apiKeys: { forget: () => undefined },
    heavy: createHeavyWork(),
    toolSources: {
      scriptProblem: async () => null,
      documentFindings: async () => ({ problem: null, leftOut: [] }),
      addressFindings: async () => ({ problem: null, leftOut: [] }),
    },
    knowledge: {
      files: createDiskFileStore(join(folder, 'files')),
      incoming: new IncomingFiles(join(folder, 'incoming')),
      maxFileBytes: 1_000_000,
      deleteFiles: async () => {},
      hurry: () => {},
    },
    config: readConfig(readEnv(env)),
  }
  return applyBootBundle(context, variables)
}

const inMemory = () => openReusedDatabase()

describe('the boot', () => {
  test('seeds an empty database once; a second start finds the data', async () => {
    await using database = await inMemory()
    const first = await boot(database, {})
    expect(first.playground?.agents.map(({ slug }) => slug)).toEqual([
      ...['always-on', 'assistant', 'billing', 'editor', 'researcher', 'reviewer', 'shipping'],
      ...['storyteller', 'technician', 'writer'],
    ])
    const [playground] = await database.read.organizations.all()
    const teams = await database.read.teams.list(playground!.id)
    expect(teams.map(({ slug, config }) => [slug, config.mode])).toEqual([
      ['crew', 'plan-execute'],
      ['desk', 'handoff'],
      ['newsroom', 'dynamic-delegation'],
      ['panel', 'parallel'],
    ])
    expect(await boot(database, {})).toEqual({ bundle: null, playground: null })
    expect(describeBoot('http://localhost:3000', { bundle: null, playground: null })).toBe('')
  })

  test('lowers the stored limits of runs to a new ceiling once, and new organizations start with it', async () => {
    await using database = await inMemory()
    const path = join(folder, 'limits.yaml')
    const organizations = (slugs: string[]) =>
      `apiVersion: troupe/v1\norganizations: [${slugs.map((slug) => `{ slug: ${slug}, name: ${slug} }`).join(', ')}]`
    await writeFile(path, organizations(['old', 'told']))
    await boot(database, { TROUPE_BUNDLE: path })
    await writeFile(path, organizations(['told', 'new']))
    const env = {
      TROUPE_BUNDLE: path,
      TROUPE_MAX_ORGANIZATION_RUNS: '20',
      TROUPE_MAX_ORGANIZATION_RPM: '500',
    }
    await boot(database, env)
    const stored = () => database.read.organizations.all()
    const lowered = await stored()
    const runs = Object.fromEntries(lowered.map(({ slug, concurrentRuns }) => [slug, concurrentRuns]))
    expect(runs).toEqual({ old: 20, told: 20, new: 20 })
    // The second start changes nothing, versions included.
    await boot(database, env)
    expect(await stored()).toEqual(lowered)
  })

  test('seeds nothing when the Playground is off or a bundle is given; seeds with `on` even with a bundle', async () => {
    await using database = await inMemory()
    const path = join(folder, 'acme.yaml')
    await writeFile(
      path,
      `apiVersion: troupe/v1\norganizations: [{ slug: acme, name: "\${NAME}", apiKeys: [{ name: ci }] }]`,
    )
    expect(await boot(database, { TROUPE_PLAYGROUND: 'off' })).toEqual({ bundle: null, playground: null })
    const outcome = await boot(database, { TROUPE_BUNDLE: path }, { NAME: 'Acme' })
    expect(outcome.playground).toBeNull()
    expect(describeBoot('', outcome)).toMatch(/acme \/ ci: trp_\w{49}/)
    expect((await boot(database, {})).playground).toBeNull()
    const archive = join(folder, 'with-files.zip')
    const base = '{ slug: handbook, name: Handbook, documents: [{ path: files/a.csv }] }'
    const text = `apiVersion: troupe/v1\norganizations: [{ slug: acme, name: Acme, knowledgeBases: [${base}] }]`
    await writeFile(
      archive,
      zip([
        { name: 'bundle.yaml', data: text },
        { name: 'files/a.csv', data: 'a,b\n1,2\n' },
      ]),
    )
    const withFiles = await boot(database, { TROUPE_BUNDLE: archive })
    expect(withFiles.bundle?.organizations[0]?.documents).toEqual({ created: 1, updated: 0, unchanged: 0 })
    const both = await boot(database, { TROUPE_BUNDLE: path, TROUPE_PLAYGROUND: 'on' }, { NAME: 'Acme' })
    expect(both.bundle?.organizations[0]?.apiKeys).toEqual({ created: 0, updated: 0, unchanged: 1 })
    expect(both.playground?.agents).toHaveLength(10)
  })

  test('an invalid or missing bundle stops it with every problem', async () => {
    await using database = await inMemory()
    const path = join(folder, 'bad.yaml')
    await writeFile(path, `apiVersion: troupe/v1\norganizations:\n  - slug: Bad\n    name: "\${MISSING}"\n`)
    const error = await boot(database, { TROUPE_BUNDLE: path }).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ name: 'ConfigError' })
    expect((error as Error).message).toContain(`  - ${path}:3  `)
    expect((error as Error).message).toMatch(/bad\.yaml:3 {2}organizations\.0\.slug {2}must have 1 to 64/)
    expect((error as Error).message).toMatch(/bad\.yaml:4 {2}organizations\.0\.name {2}needs the environment/)
    await expect(boot(database, { TROUPE_BUNDLE: join(folder, 'none.yaml') })).rejects.toThrow(
      /cannot be read \(ENOENT\)/,
    )
    const latin = join(folder, 'latin.yaml')
    await writeFile(
      latin,
      Buffer.from('apiVersion: troupe/v1\norganizations: [{ slug: a, name: M\xfcller }]', 'latin1'),
    )
    const archive = join(folder, 'acme.zip')
    await writeFile(archive, zip([{ name: 'a.md', data: 'A' }]))
    await expect(boot(database, { TROUPE_BUNDLE: archive })).rejects.toThrow(/\(no bundle\.yaml in it\)/)
    await expect(boot(database, { TROUPE_BUNDLE: latin })).rejects.toThrow(/cannot be read \(not UTF-8\)/)
    expect(await database.read.organizations.all()).toEqual([])
  })
})

describe('two processes on one PostgreSQL', () => {
  const migrate = async (url: string) => {
    await (await open(url))[Symbol.asyncDispose]()
  }
  const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true })

  test('seed the Playground once', async ({ skip }) => {
    await using postgres = await testPostgres(migrate)
    if (!postgres) return skip()
    await using own = await postgres.createDatabase()
    await using one = await open(own.url)
    await using two = await open(own.url)
    const outcomes = await Promise.all([boot(one, {}), boot(two, {}), boot(one, {}), boot(two, {})])
    expect(outcomes.filter(({ playground }) => playground !== null)).toHaveLength(1)
    const organizations = await one.read.organizations.all()
    expect(organizations.map(({ slug }) => slug)).toEqual(['playground'])
    const { id } = organizations[0]!
    expect(await one.read.agents.list(id)).toHaveLength(10)
    expect(await one.read.teams.list(id)).toHaveLength(4)
    expect(await one.read.apiKeys.list(id)).toHaveLength(1)
  })
})
