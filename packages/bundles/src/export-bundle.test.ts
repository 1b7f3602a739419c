import { mergeAgentConfig } from '@troupe/contract'
import { agentRecord } from '@troupe/test-kit/agent-record'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const TEXT = `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: "Acme: \\"quoted\\" yes"
    limits: { rpm: 42 }
    projects: [{ slug: support, name: Support }, { slug: sales, name: Sales }]
    apiKeys:
      - { name: ci, secret: "\${CI_KEY}", expiresAt: 2031-01-01T00:00:00Z, rpm: 5, project: support }
      - { name: old, revoked: true }
    llmConfigurations:
      - slug: main
        name: Main
        providerId: openai
        default: true
        credentials: { apiKey: "\${LLM_KEY}" }
        settings: { api: chat }
        models: [{ modelId: gpt-x, displayName: GPT X, contextLength: 1000, toolChoice: false, inputUsdPerMillion: 0.5 }]
      - { slug: sand, name: Sandbox, project: support, providerId: sandbox, status: disconnected, models: [{ modelId: sandbox-1 }] }
    agents:
      - slug: writer
        name: Writer
        project: support
        status: active
        description: "Writes $\${NOT_A_VARIABLE}"
        config:
          instructions: |
            First line: yes.
            Pay $\${amount}.
          model:
            primary: { llm_config: main, model_id: gpt-x, temperature: 0 }
            fallbacks: [{ llm_config: sand }, { on: [timeout] }]
          execution: { output: { mode: json_schema, schema: { type: object, properties: { zeta: {}, alpha: {} } } } }
          tools: [{ type: builtin, builtin: calculator, name: calc }]
          custom: { kept: null, "1": one }
      - { slug: plain, name: Plain }
`
const VARIABLES = { CI_KEY: 'the-ci-secret-of-acme-today', LLM_KEY: 'sk-never-shown' }

let parts: BundleParts
let exported: string

beforeAll(async () => {
  parts = await openBundleParts()
  await applyBundle(parts, { text: TEXT, variables: VARIABLES, actor: TEST_ACTOR })
  exported = await exportBundle(parts, 'acme')
})
afterAll(() => parts[Symbol.asyncDispose]())

describe('exporting', () => {
  test('has no secret and hints at the omitted credentials', async () => {
    const [key] = await parts.database.read.apiKeys.list((await acme()).id)
    for (const secret of ['the-ci-secret-of-acme-today', 'sk-never-shown', key?.secretHash ?? '-']) {
      expect(exported).not.toContain(secret)
    }
    expect(exported).toContain(`# credentials: { apiKey: "\${MAIN_API_KEY}" }`)
  })

  test('writes differences from the defaults, with references by slug', () => {
    expect(exported).toContain('llm_config: main')
    expect(exported).not.toContain('max_steps')
    expect(exported).not.toContain('llm_config_id')
    expect(exported).not.toContain('failover')
  })

  test('applied at its origin, it changes nothing', async () => {
    const applied = await applyBundle(parts, { text: exported, variables: {}, actor: TEST_ACTOR })
    for (const kind of ['projects', 'apiKeys', 'llmConfigurations', 'agents'] as const) {
      expect(applied.organizations[0]?.[kind]).toMatchObject({ created: 0, updated: 0 })
    }
    expect(applied.organizations[0]?.mintedKeys).toEqual([])
    expect(await exportBundle(parts, null)).toBe(exported)
  })

  test('applied to an empty database with its credentials, it exports the same text again', async () => {
    await using other = await openBundleParts()
    const withCredentials = exported.replace('# credentials:', 'credentials:')
    const applied = await applyBundle(other, {
      text: withCredentials,
      variables: { MAIN_API_KEY: 'sk-other' },
      actor: TEST_ACTOR,
    })
    expect(applied.organizations[0]?.agents).toEqual({ created: 2, updated: 0, unchanged: 0 })
    expect(await exportBundle(other, null)).toBe(exported)
  })

  test('without its credentials, another database refuses it with the line', async () => {
    await using other = await openBundleParts()
    const error = await applyBundle(other, { text: exported, variables: {}, actor: TEST_ACTOR }).catch(
      (e) => e,
    )
    expect(error.problems).toEqual([
      {
        path: 'organizations.0.llmConfigurations.0.credentials.apiKey',
        message: 'is required',
        line: expect.any(Number),
      },
    ])
  })

  test('agents of the API get a slug from their name, and applying that changes nothing', async () => {
    const { id: organizationId } = await acme()
    const merged = mergeAgentConfig({ instructions: 'Hi' })
    if (!merged.ok) throw new Error('the defaults are valid')
    await parts.database.transaction(async ({ write }) => {
      for (const name of ['Wríter!', 'Wríter!', '***']) {
        await write.agents.insert(
          agentRecord({ organizationId, name, status: 'draft', config: merged.config }),
          TEST_ACTOR,
        )
      }
    })
    const text = await exportBundle(parts, 'acme')
    expect([...text.matchAll(/- slug: (\S+)\n {8}name: (?:Wr|"\*)/g)].map(([, slug]) => slug)).toEqual([
      'agent',
      'writer',
      'writer-2',
      'writer-3',
    ])
    const applied = await applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
    expect(applied.organizations[0]?.agents).toEqual({ created: 0, updated: 0, unchanged: 5 })
  })

  test('an unknown organization is an error', async () => {
    await expect(exportBundle(parts, 'nobody')).rejects.toMatchObject({ code: 'organization_not_found' })
  })
})

async function acme() {
  const organization = await parts.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('the organization is missing')
  return organization
}
