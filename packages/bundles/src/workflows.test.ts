import { randomUUID } from 'node:crypto'
import { AgentId, checkedId, LlmConfigId, TeamId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BundleParts, openBundleParts } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'
import { ANSWERED, answer, triage } from './testing/workflow-texts.ts'

const WORKFLOW_ID = '50000000-0000-4000-8000-00000000000A'
let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

const apply = (slug: string, body: string) => organizations.apply(slug, body)
const problems = (slug: string, body: string) => organizations.problems(slug, body)
const workflowsOf = async (slug: string) => parts.database.read.workflows.list(await organizations.id(slug))
const firstOf = async (slug: string) => {
  const [workflow] = await workflowsOf(slug)
  if (!workflow) throw new Error('the workflow is missing')
  return workflow
}

const COUNTS = { created: 0, updated: 0, unchanged: 0 }
const CREATED = { ...COUNTS, created: 1 }
const UPDATED = { ...COUNTS, updated: 1 }
const UNCHANGED = { ...COUNTS, unchanged: 1 }

describe('applying workflows', () => {
  test('creates and publishes them with their references resolved, and a second time writes nothing', async () => {
    const slug = await organizations.furnished()
    const body = triage(
      'publish: true',
      answer('agent: a'),
      '{ id: n1, type: team-step, name: N1, config: { message: m, team: desk, retries: 1 } }',
      '{ id: n2, type: ai-prompt, name: N2, config: { prompt: p, model: { fallbacks: [{ llm_config: of-one }], primary: { llm_config: main, model_id: m } } } }',
    )
    expect((await apply(slug, body)).workflows).toEqual(CREATED)
    const { read } = parts.database
    const id = await organizations.id(slug)
    const agents = new Map((await read.agents.list(id)).map((row) => [row.slug, row.id]))
    const teams = new Map((await read.teams.list(id)).map((row) => [row.slug, row.id]))
    const llms = new Map((await read.llmConfigurations.list(id)).map((row) => [row.slug, row.id]))
    const workflow = await firstOf(slug)
    expect(workflow).toMatchObject({
      slug: 'triage',
      name: 'Triage',
      projectId: null,
      versionNumber: 1,
      draftRevision: 1,
    })
    // Keys keep the order of the text.
    expect(JSON.stringify((workflow.draft as Graph).nodes.map(({ config }) => config))).toBe(
      JSON.stringify([
        {},
        { agentId: agents.get('a'), message: 'm' },
        { message: 'm', teamId: teams.get('desk'), retries: 1 },
        {
          prompt: 'p',
          model: {
            fallbacks: [{ llm_config_id: llms.get('of-one') }],
            primary: { llm_config_id: llms.get('main'), model_id: 'm' },
          },
        },
      ]),
    )
    const resources = [
      { kind: 'agent', id: checkedId(AgentId, agents.get('a') ?? '') },
      { kind: 'team', id: checkedId(TeamId, teams.get('desk') ?? '') },
      { kind: 'llm_configuration', id: checkedId(LlmConfigId, llms.get('main') ?? '') },
      { kind: 'llm_configuration', id: checkedId(LlmConfigId, llms.get('of-one') ?? '') },
    ] as const
    for (const resource of resources) {
      expect(await read.workflows.publishedWith(id, resource)).toMatchObject([{ name: 'Triage' }])
    }
    parts.told.length = 0
    expect((await apply(slug, body)).workflows).toEqual(UNCHANGED)
    expect(await firstOf(slug)).toEqual(workflow)
    expect(parts.told).toEqual([])
  })

  test('publishes a version when the graph changes, and none when only the name does', async () => {
    const slug = await organizations.furnished(ANSWERED)
    expect((await apply(slug, ANSWERED.replace('name: Triage', 'name: Desk'))).workflows).toEqual(UPDATED)
    expect(await firstOf(slug)).toMatchObject({ name: 'Desk', versionNumber: 1, draftRevision: 1 })
    expect((await apply(slug, ANSWERED.replace('message: m', 'message: n'))).workflows).toEqual(UPDATED)
    expect(await firstOf(slug)).toMatchObject({ versionNumber: 2, draftRevision: 2 })
  })

  test('without publish saves a draft and leaves the published version, and with it publishes the draft', async () => {
    const slug = await organizations.furnished(ANSWERED)
    const before = await firstOf(slug)
    const draft = triage('publish: false', answer('agent: b'))
    expect((await apply(slug, draft)).workflows).toEqual(UPDATED)
    const saved = await firstOf(slug)
    expect(saved).toMatchObject({
      activeDeployment: before.activeDeployment,
      versionNumber: 1,
      draftRevision: 2,
    })
    expect((await apply(slug, draft)).workflows).toEqual(UNCHANGED)
    // An already published graph only becomes the draft again.
    expect((await apply(slug, ANSWERED)).workflows).toEqual(UPDATED)
    expect(await firstOf(slug)).toMatchObject({ versionNumber: 1, draftRevision: 3, draft: before.draft })
    await apply(slug, triage('publish: true', answer('agent: b')))
    expect(await firstOf(slug)).toMatchObject({ versionNumber: 2 })
  })

  test('saves a draft that cannot be published', async () => {
    const slug = await organizations.furnished()
    const draft = triage('', '{ id: n0, type: ai-agent, name: N0 }', answer('agent: old', 1))
    expect((await apply(slug, draft)).workflows).toEqual(CREATED)
    expect(await firstOf(slug)).toMatchObject({ activeDeployment: null, versionNumber: 0 })
    expect(await problems(slug, draft.replace('description: null', 'publish: true'))).toEqual([
      '12 workflows.0.graph.nodes.1.config.agentId: is required',
      '12 workflows.0.graph.nodes.1.config.message: is required',
      '13 workflows.0.graph.nodes.2.config.agent: the agent is archived: old',
    ])
  })

  test('accepts ids in any case, adds missing slugs, and finds resources created by the same bundle', async () => {
    const slug = await organizations.furnished()
    const agentId = randomUUID()
    const body = `    agents: [{ slug: new, name: New, id: ${agentId} }]
    teams: [{ slug: crew, name: Crew, mode: handoff, lead: { agent: new }, members: [{ agent: a }] }]
${triage(
  `{ id: ${WORKFLOW_ID}, project: one, publish: true }`.slice(2, -2).replaceAll(', ', '\n        '),
  answer(`agent: ${agentId.toUpperCase()}`),
  '{ id: n1, type: team-step, name: N1, config: { team: crew, message: m } }',
  answer(`agentId: ${agentId}`, 2),
)}`
    await apply(slug, body)
    expect(await firstOf(slug)).toMatchObject({
      id: WORKFLOW_ID.toLowerCase(),
      draft: { nodes: [{}, { config: { agentId } }, {}, { config: { agentId } }] },
    })
    expect((await apply(slug, body)).workflows).toEqual(UNCHANGED)
  })
})
