import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import type { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const ID = {
  acme: '10000000-0000-4000-8000-000000000001',
  project: '10000000-0000-4000-8000-000000000002',
  agent: '10000000-0000-4000-8000-000000000003',
  llm: '10000000-0000-4000-8000-000000000004',
  fresh: '10000000-0000-4000-8000-000000000009',
}
const STORED = `
  - slug: acme
    name: Acme
    id: ${ID.acme}
    projects: [{ slug: one, name: One, id: ${ID.project} }, { slug: two, name: Two }]
    apiKeys: [{ name: ci, secret: the-secret-of-the-company-acme }]
    llmConfigurations:
      - { slug: main, name: Main, id: ${ID.llm}, default: true, providerId: sandbox, models: [{ modelId: m }] }
      - { slug: of-one, name: Of one, project: one, providerId: sandbox, models: [{ modelId: m }] }
    agents: [{ slug: writer, name: Writer, id: ${ID.agent} }]
`
let parts: BundleParts

beforeAll(async () => {
  parts = await openBundleParts()
  await apply(STORED)
})
afterAll(() => parts[Symbol.asyncDispose]())

function apply(organizations: string) {
  const text = `apiVersion: troupe/v1\norganizations:${organizations}`
  return applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
}

async function problems(organizations: string): Promise<string[]> {
  const error = (await apply(organizations).catch((thrown: unknown) => thrown)) as BundleError
  return error.problems.map(({ path, message, line }) => `${line} ${path.slice(16)}: ${message}`)
}

/** Problems of a body of the stored organization; its first line is line 5. */
const acme = (body: string) => problems(`\n  - slug: acme\n    name: Acme\n${body}`)
const other = (body: string) => problems(`\n  - slug: other\n    name: Other\n${body}`)

describe('references', () => {
  test('to missing projects and configurations are reported together', async () => {
    expect(
      await acme(`    apiKeys: [{ name: k, project: nope }]
    agents:
      - slug: a
        name: A
        project: nope
        config: { model: { primary: { llm_config: gone }, fallbacks: [{}, { llm_config_id: ${ID.fresh} }] } }
      - { slug: b, name: B, config: { knowledge: { rerank_llm_config_id: ${ID.agent} } } }`),
    ).toEqual([
      '5 apiKeys.0.project: is not a project of this organization: nope',
      '9 agents.0.project: is not a project of this organization: nope',
      '10 agents.0.config.model.primary.llm_config: is not an LLM configuration of this organization: gone',
      `10 agents.0.config.model.fallbacks.1.llm_config_id: is not an LLM configuration of this organization: ${ID.fresh}`,
      `11 agents.1.config.knowledge.rerank_llm_config_id: is not an LLM configuration of this organization: ${ID.agent}`,
    ])
  })

  test('to models that a configuration does not offer are refused, unless it allows them', async () => {
    const body = (more: string) => `    llmConfigurations:
      - { slug: free, name: Free, providerId: sandbox, models: [{ modelId: m }]${more} }
    agents:
      - { slug: a, name: A, config: { model: { primary: { llm_config: free, model_id: n } } } }
      - { slug: b, name: B, config: { model: { primary: { model_id: n } } } }
    teams:
      - slug: t
        name: T
        mode: parallel
        lead: { managed: { instructions: x, model: { primary: { llm_config: free, model_id: n } } } }
        members: [{ agent: a }, { agent: b }]
    workflows:
      - slug: w
        name: W
        publish: true
        graph:
          nodes:
            - { id: s, type: manual-trigger, name: S, config: {} }
            - { id: p, type: ai-prompt, name: P, config: { prompt: x, model: { primary: { llm_config: free, model_id: n } } } }
            - { id: q, type: ai-prompt, name: Q, config: { prompt: x, model: { primary: { model_id: n } } } }
          edges: [{ id: e, source: s, target: p }, { id: f, source: p, target: q }]`
    const offers = (name: string) => `is not a model of the LLM configuration "${name}", which offers: m`
    const refused = await acme(body(''))
    expect(refused.map((line) => line.replace(/^\d+ /, ''))).toEqual([
      `agents.0.config.model.primary.model_id: ${offers('Free')}`,
      `agents.1.config.model.primary.model_id: ${offers('Main')}`,
      `teams.0.lead.managed.model.primary.model_id: ${offers('Free')}`,
      `workflows.0.graph.nodes.1.config.model.primary.model_id: ${offers('Free')}`,
      `workflows.0.graph.nodes.2.config.model.primary.model_id: ${offers('Main')}`,
    ])
    expect(
      (await acme(body(', allowUnlistedModels: true'))).map((line) => line.replace(/^\d+ /, '')),
    ).toEqual([
      `agents.1.config.model.primary.model_id: ${offers('Main')}`,
      `workflows.0.graph.nodes.2.config.model.primary.model_id: ${offers('Main')}`,
    ])
  })

  test('reach stored rows that are not in the bundle', async () => {
    const applied = await apply(`
  - slug: acme
    name: Acme
    agents: [{ slug: reader, name: Reader, project: one, config: { model: { primary: { llm_config: of-one } } } }]`)
    expect(applied.organizations[0]?.agents.created).toBe(1)
  })

  test('to a configuration of another project are refused, except at the organization level', async () => {
    const agent = (project: string) =>
      `    agents: [{ slug: x, name: X, project: ${project}, config: { model: { primary: { llm_config: of-one } } } }]`
    expect(await acme(agent('two'))).toEqual([
      '5 agents.0.config.model.primary.llm_config: belongs to another project than the agent: of-one',
    ])
    await apply(`\n  - slug: acme\n    name: Acme\n${agent('null')}`)
  })

  test('to an invalid item are not called dangling', async () => {
    expect(
      await acme(`    projects: [{ slug: new, name: "" }]
    llmConfigurations: [{ slug: half, name: Half, providerId: sandbox, models: [] }]
    agents: [{ slug: y, name: Y, project: new, config: { model: { primary: { llm_config: half } } } }]`),
    ).toEqual([
      '5 projects.0.name: must not be empty',
      '6 llmConfigurations.0.models: must have at least 1 item',
    ])
  })

  test('must be texts and not be given twice', async () => {
    expect(
      await acme(
        `    agents: [{ slug: z, name: Z, config: { model: { primary: { llm_config: 7 }, fallbacks: [{ llm_config: main, llm_config_id: main }] } } }]`,
      ),
    ).toEqual([
      '5 agents.0.config.model.primary.llm_config: must be the slug or the id of an LLM configuration',
      '5 agents.0.config.model.fallbacks.0.llm_config: must not be given together with llm_config_id',
    ])
  })
})

describe('ids', () => {
  test('of another organization or of another kind are refused', async () => {
    expect(
      await other(`    projects: [{ slug: p, name: P, id: ${ID.agent} }]
    apiKeys: [{ name: k, id: ${ID.acme} }]
    agents: [{ slug: a, name: A, id: ${ID.llm} }]`),
    ).toEqual([
      '5 projects.0.id: is already the id of another resource',
      '6 apiKeys.0.id: is already the id of another resource',
      '7 agents.0.id: is already the id of another resource',
    ])
    expect(await acme(`    projects: [{ slug: p, name: P, id: ${ID.agent} }]`)).toEqual([
      '5 projects.0.id: is already the id of another resource',
    ])
  })

  test('that differ from the stored one are refused, and the stored one renames', async () => {
    expect(await acme(`    agents: [{ slug: writer, name: Writer, id: ${ID.fresh} }]`)).toEqual([
      '5 agents.0.id: differs from the id of the one that has this slug',
    ])
    expect(await problems(`\n  - { slug: acme, name: Acme, id: ${ID.fresh} }`)).toEqual([
      '3 id: differs from the id of the one that has this slug',
    ])
    expect(await acme(`    projects: [{ slug: two, name: Two, id: ${ID.project} }]`)).toEqual([
      '5 projects.0.slug: is already used by another one, which has another id',
    ])
    await apply(`\n  - { slug: acme, name: Acme, agents: [{ slug: author, name: Writer, id: ${ID.agent} }] }`)
    const agents = await parts.database.read.agents.list(ID.acme as never)
    expect(agents.find(({ id }) => id === ID.agent)?.slug).toBe('author')
  })
})

describe('rules across parts', () => {
  test('a secret of another key is refused, without revealing its owner', async () => {
    const found = await other('    apiKeys: [{ name: mine, secret: the-secret-of-the-company-acme }]')
    expect(found).toEqual(['5 apiKeys.0.secret: is already the secret of another key'])
  })

  test('one default for each level, stored ones included', async () => {
    const sandbox = (slug: string, more: string) =>
      `{ slug: ${slug}, name: S, providerId: sandbox, default: true, models: [{ modelId: m }]${more} }`
    expect(
      await acme(
        `    llmConfigurations:\n      - ${sandbox('s', '')}\n      - ${sandbox('t', ', project: two')}\n      - ${sandbox('u', ', project: two')}`,
      ),
    ).toEqual([
      '6 llmConfigurations.0.default: must be true for only one configuration of the organization, which is main now',
      '8 llmConfigurations.2.default: must be true for only one configuration of its project, which is t now',
    ])
  })

  test('connections are checked by the rules of their provider', async () => {
    expect(
      await acme(`    llmConfigurations:
      - { slug: o, name: O, providerId: openai, settings: { api: x }, models: [{ modelId: m }] }
      - { slug: c, name: C, providerId: openai-compatible, credentials: { apiKey: "a b\\nc", key: k }, models: [{ modelId: m }] }`),
    ).toEqual([
      '6 llmConfigurations.0.credentials.apiKey: is required',
      '6 llmConfigurations.0.settings.api: must be one of responses, chat',
      '7 llmConfigurations.1.baseUrl: is required',
      '7 llmConfigurations.1.credentials.apiKey: must not contain line breaks or outer spaces',
      '7 llmConfigurations.1.credentials.key: is not known to this provider',
    ])
  })

  test('configurations of agents are validated as a whole', async () => {
    expect(
      await acme(`    agents:
      - slug: bad
        name: Bad
        config:
          prompt: { timezone: Mars/Base }
          tools: [{ type: builtin, builtin: nope, name: t }]`),
    ).toEqual([
      expect.stringMatching(/^9 agents\.0\.config\.prompt\.timezone: /),
      expect.stringMatching(/^10 agents\.0\.config\.tools\.0\.builtin: must be one of/),
    ])
  })
})

describe('keys', () => {
  const key = (more: string) => apply(`\n  - { slug: acme, name: Acme, apiKeys: [{ name: turning${more} }] }`)
  const stored = async () =>
    (await parts.database.read.apiKeys.list(ID.acme as never)).find(({ name }) => name === 'turning')

  test('keep their secret and their revocation if a bundle does not mention them', async () => {
    await key(', secret: the-first-secret-of-the-key, rpm: 5, expiresAt: 2031-01-01T00:00:00Z, project: one')
    const first = await stored()
    expect(first).toMatchObject({ rpm: 5, projectId: ID.project, expiresAt: new Date('2031-01-01') })
    await key(', revoked: true')
    const revoked = await stored()
    expect(revoked).toMatchObject({
      secretHash: first?.secretHash,
      rpm: null,
      expiresAt: null,
      projectId: null,
    })
    expect(revoked?.revokedAt).toBeInstanceOf(Date)
    expect((await key('')).organizations[0]?.apiKeys.unchanged).toBe(1)
    await key(', revoked: false')
    expect((await stored())?.revokedAt).toBeNull()
    const exchanged = await key(', secret: the-second-secret-of-the-key')
    expect(exchanged.organizations[0]).toMatchObject({ apiKeys: { updated: 1 }, mintedKeys: [] })
    expect(parts.told).toContain(first?.secretHash)
  })
})
