import { type Database, openDatabase } from '@troupe/storage'
import { type TestPostgres, testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const ORGANIZATION_ID = '20000000-0000-4000-8000-000000000001'
const organization = (slug: string, id = '') => `
  - slug: ${slug}
    name: ${slug}
${id === '' ? '' : `    id: ${id}\n`}    projects: [{ slug: p, name: P }]
    apiKeys: [{ name: minted }, { name: given, secret: the-secret-of-organization-${slug} }]
    llmConfigurations: [{ slug: s, name: S, project: p, providerId: sandbox, models: [{ modelId: m }] }]
    agents:
      - { slug: a, name: A, project: p, config: { instructions: X, model: { primary: { llm_config: s } } } }
`
const bundle = (...organizations: string[]) =>
  `apiVersion: troupe/v1\norganizations:${organizations.join('')}`

/** Applies the texts concurrently, each through its own database connection. */
async function race(databases: readonly Database[], texts: readonly string[]) {
  return Promise.all(
    texts.map(async (text, index) => {
      const parts = await openBundleParts(databases[index % databases.length])
      return applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
    }),
  )
}

async function expectOneOfEach(database: Database, slug: string) {
  const stored = await database.read.organizations.bySlug(slug)
  expect(stored).not.toBeNull()
  const { read } = database
  const id = stored!.id
  expect(await read.projects.list(id)).toHaveLength(1)
  expect(await read.apiKeys.list(id)).toHaveLength(2)
  expect(await read.llmConfigurations.list(id)).toHaveLength(1)
  const agents = await read.agents.list(id)
  expect(agents).toHaveLength(1)
}

async function expectRacesToEndWell(databases: readonly Database[]) {
  const [database] = databases
  // The same bundle, with and without a given id, and organizations in opposite order.
  const texts = [
    bundle(organization('acme'), organization('beta')),
    bundle(organization('beta'), organization('acme')),
    bundle(organization('gamma', ORGANIZATION_ID)),
    bundle(organization('gamma', ORGANIZATION_ID)),
    bundle(organization('acme')),
    bundle(organization('beta')),
  ]
  const results = await race(databases, texts)
  for (const slug of ['acme', 'beta', 'gamma']) {
    await expectOneOfEach(database!, slug)
    const minted = results.flatMap(({ organizations }) =>
      organizations.filter((one) => one.slug === slug).flatMap(({ mintedKeys }) => mintedKeys),
    )
    expect(minted).toHaveLength(1)
  }
  const changed = texts.map((text) => text.replaceAll('instructions: X', 'instructions: Y'))
  const updates = await race(databases, changed)
  const updated = updates.flatMap(({ organizations }) => organizations.map(({ agents }) => agents.updated))
  expect(updated.reduce((sum, count) => sum + count, 0)).toBe(3)
  const again = await race(databases, changed)
  for (const { organizations } of again) {
    for (const { agents } of organizations) expect(agents).toEqual({ created: 0, updated: 0, unchanged: 1 })
  }
}

describe('concurrently applied bundles', () => {
  const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true })
  let postgres: TestPostgres | null
  let embedded: Database

  beforeAll(async () => {
    postgres = await testPostgres(async (url) => (await open(url))[Symbol.asyncDispose]())
    embedded = await openDatabase({ kind: 'pglite', directory: null })
  })
  afterAll(async () => {
    await embedded[Symbol.asyncDispose]()
    await postgres?.[Symbol.asyncDispose]()
  })

  test('take turns in the embedded database', () => expectRacesToEndWell([embedded]))

  test('take turns in PostgreSQL, from several processes', async ({ skip }) => {
    if (!postgres) return skip()
    await using own = await postgres.createDatabase()
    await using one = await open(own.url)
    await using two = await open(own.url)
    await expectRacesToEndWell([one, two])
  })
})
