import { openCredentials } from '@troupe/operations/llm-configurations/credentials'
import { hashApiKeySecret } from '@troupe/secrets'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const VARIABLES = { CI_KEY: 'the-secret-of-ci-number-1', LLM_KEY: 'sk-original' }
let parts: BundleParts
let round = 0
let slug: string

beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())
beforeEach(() => {
  round += 1
  slug = `acme-${round}`
  parts.told.length = 0
})

const apply = (text: string, variables: Record<string, string> = VARIABLES) =>
  applyBundle(parts, { text, variables, actor: TEST_ACTOR })

async function organizationId() {
  const organization = await parts.database.read.organizations.bySlug(slug)
  if (!organization) throw new Error('the organization is missing')
  return organization.id
}

const acme = (agent = 'config: { instructions: "You write." }', more = '') => `
apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: Acme
    projects: [{ slug: support, name: Support }]
    apiKeys:
      - { name: ci, secret: "${slug}-\${CI_KEY}" }
      - { name: minted, project: support, rpm: 60 }
    llmConfigurations:
      - slug: main
        name: Main
        providerId: openai-compatible
        baseUrl: http://127.0.0.1:9/v1
        credentials: { apiKey: "\${LLM_KEY}" }
        models: [{ modelId: gpt-x }]
    agents:
      - slug: writer
        name: Writer
        status: active
        ${agent}
${more}`

describe('applying a bundle', () => {
  test('creates everything and mints the keys without a secret', async () => {
    const applied = await apply(acme())
    const [organization] = applied.organizations
    expect(organization).toMatchObject({
      slug,
      id: await organizationId(),
      projects: { created: 1, updated: 0, unchanged: 0 },
      apiKeys: { created: 2, updated: 0, unchanged: 0 },
      llmConfigurations: { created: 1, updated: 0, unchanged: 0 },
      agents: { created: 1, updated: 0, unchanged: 0 },
    })
    expect(organization?.mintedKeys.map(({ name }) => name)).toEqual(['minted'])
    const minted = organization?.mintedKeys[0]?.secret ?? ''
    expect(minted).toMatch(/^trp_[0-9A-Za-z]{49}$/)
    const { read } = parts.database
    expect(await read.apiKeys.byHash(hashApiKeySecret(minted))).toMatchObject({ name: 'minted', rpm: 60 })
    expect(await read.apiKeys.byHash(hashApiKeySecret(`${slug}-the-secret-of-ci-number-1`))).toMatchObject({
      name: 'ci',
      organizationRpm: 1_000,
    })
    const [configuration] = await read.llmConfigurations.list(await organizationId())
    expect(configuration?.sealedCredentials).not.toContain('sk-original')
    expect(openCredentials(parts.box, configuration!)).toEqual({ apiKey: 'sk-original' })
  })

  test('a second time changes and writes nothing', async () => {
    await apply(acme())
    const before = await snapshot()
    parts.told.length = 0
    const again = await apply(acme())
    expect(again.organizations[0]).toMatchObject({
      projects: { created: 0, updated: 0, unchanged: 1 },
      apiKeys: { created: 0, updated: 0, unchanged: 2 },
      llmConfigurations: { created: 0, updated: 0, unchanged: 1 },
      agents: { created: 0, updated: 0, unchanged: 1 },
      mintedKeys: [],
    })
    expect(await snapshot()).toEqual(before)
    expect(parts.told).toEqual([])
  })

  test('a changed agent gets a new version, and an absent key restores its default', async () => {
    await apply(acme('config: { instructions: Old, execution: { max_steps: 5 } }'))
    const [before] = await parts.database.read.agents.list(await organizationId())
    const applied = await apply(acme('config: { instructions: New }'))
    const [after] = await parts.database.read.agents.list(await organizationId())
    expect(applied.organizations[0]?.agents).toEqual({ created: 0, updated: 1, unchanged: 0 })
    expect(after?.versionId).not.toBe(before?.versionId)
    expect(after?.config).toMatchObject({ instructions: 'New', execution: { max_steps: 20 } })
    expect(parts.told).toContain(await organizationId())
  })

  test('does not touch unmentioned rows', async () => {
    await apply(acme())
    await apply(`{"apiVersion":"troupe/v1","organizations":[{"slug":"${slug}","name":"Acme Ltd"}]}`)
    const id = await organizationId()
    expect(await parts.database.read.organizations.byId(id)).toMatchObject({ name: 'Acme Ltd', rpm: 1_000 })
    expect(await parts.database.read.agents.list(id)).toHaveLength(1)
    expect(await parts.database.read.apiKeys.list(id)).toHaveLength(2)
  })

  test('partial limits keep the stored ones', async () => {
    await apply(acme('config: {}', '    limits: { rpm: 7 }'))
    await apply(acme('config: {}', '    limits: { concurrentRuns: 3 }'))
    const stored = () => parts.database.read.organizations.bySlug(slug)
    const kept = { rpm: 7, concurrentRuns: 3 }
    expect(await stored()).toMatchObject({ ...kept, traceDays: 30, runDays: 90 })
    await apply(acme('config: {}', '    limits: { traceDays: 7 }'))
    expect(await stored()).toMatchObject({ ...kept, traceDays: 7, runDays: 90 })
    await apply(acme('config: {}', '    limits: { runDays: 3650 }'))
    expect(await stored()).toMatchObject({ ...kept, traceDays: 7, runDays: 3_650 })
  })

  test('absent credentials are kept, others replace them', async () => {
    await apply(acme())
    const id = await organizationId()
    const read = async () => (await parts.database.read.llmConfigurations.list(id))[0]!
    const before = await read()
    const kept = await apply(acme().replace(/ +credentials:.*\n/, ''))
    expect(kept.organizations[0]?.llmConfigurations.unchanged).toBe(1)
    expect(await read()).toEqual(before)
    await apply(acme(), { ...VARIABLES, LLM_KEY: 'sk-new' })
    const after = await read()
    expect(openCredentials(parts.box, after)).toEqual({ apiKey: 'sk-new' })
    expect(after.version).toBe(before.version + 1)
  })

  test('references resolve by slug and by id, and projects of agents are respected', async () => {
    const llm = '0a000000-0000-4000-8000-0000000000AA'.replace('0a0', `${round}`.padStart(3, '0'))
    await apply(
      acme(
        `project: support
        config: { model: { primary: { llm_config: main, model_id: gpt-x }, fallbacks: [{ llm_config: ${llm} }] } }`,
      ).replace('- slug: main', `- id: ${llm}\n        slug: main`),
    )
    const id = await organizationId()
    const [agent] = await parts.database.read.agents.list(id)
    const [project] = await parts.database.read.projects.list(id)
    expect(agent?.projectId).toBe(project?.id)
    expect(agent?.config.model.primary.llm_config_id).toBe(llm.toLowerCase())
    expect(agent?.config.model.fallbacks[0]?.llm_config_id).toBe(llm.toLowerCase())
  })

  test('the first item of the bundle is the oldest one', async () => {
    const slugs = ['z', 'c', 'm', 'a', 'x', 'b']
    const configurations = slugs.map(
      (name) => `{ slug: ${name}, name: ${name}, providerId: sandbox, models: [{ modelId: m }] }`,
    )
    await apply(
      `{ apiVersion: troupe/v1, organizations: [{ slug: ${slug}, name: A, llmConfigurations: [${configurations}] }] }`,
    )
    const stored = await parts.database.read.llmConfigurations.list(await organizationId())
    expect(stored.map((configuration) => configuration.slug)).toEqual(slugs)
  })

  test('an invalid bundle writes nothing and reports every problem with its line', async () => {
    const text = acme('config: { model: { primary: { llm_config: nope, temperature: 9 } } }')
      .replace('rpm: 60', 'rpm: 0')
      .replace('name: Acme', 'nmae: Acme')
    const error = await apply(text).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BundleError)
    expect((error as BundleError).problems).toEqual([
      { path: 'organizations.0.name', message: 'is required', line: 4 },
      { path: 'organizations.0.nmae', message: 'is not a known field', line: 5 },
      { path: 'organizations.0.apiKeys.1.rpm', message: 'must be at least 1', line: 9 },
      {
        path: 'organizations.0.agents.0.config.model.primary.llm_config',
        message: 'is not an LLM configuration of this organization: nope',
        line: 21,
      },
      {
        path: 'organizations.0.agents.0.config.model.primary.temperature',
        message: 'must be at most 2',
        line: 21,
      },
    ])
    expect(await parts.database.read.organizations.bySlug(slug)).toBeNull()
  })
})

/** Everything that a write would change: rows with their versions. */
async function snapshot() {
  const { read } = parts.database
  const id = await organizationId()
  return {
    organization: await read.organizations.byId(id),
    projects: await read.projects.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    agents: await read.agents.list(id),
  }
}
