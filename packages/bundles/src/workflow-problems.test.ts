import { randomUUID } from 'node:crypto'
import { MAX_FIELD_ERRORS } from '@troupe/contract'
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

describe('problems of workflows', () => {
  test('include dangling references, once each, with their lines', async () => {
    const slug = await organizations.furnished()
    const body = triage(
      'publish: true\n        project: nope',
      answer('agent: nobody'),
      answer('agent: a, agentId: x', 1),
      '{ id: n2, type: team-step, name: N2, config: { team: 7, message: m } }',
      '{ id: n3, type: classify, name: N3, config: { text: t, classes: [{ id: c, name: C }], model: { primary: { llm_config: gone } } } }',
      answer(`agentId: ${WORKFLOW_ID}`, 4),
    )
    expect(await problems(slug, body)).toEqual([
      '9 workflows.0.project: is not a project of this organization: nope',
    ])
    expect(await problems(slug, body.replace('\n        project: nope', ''))).toEqual([
      '12 workflows.0.graph.nodes.1.config.agent: is not an agent of this organization: nobody',
      '13 workflows.0.graph.nodes.2.config.agent: must not be given together with agentId',
      '14 workflows.0.graph.nodes.3.config.team: must be the slug or the id of a team',
      '15 workflows.0.graph.nodes.4.config.model.primary.llm_config: is not an LLM configuration of this organization: gone',
      `16 workflows.0.graph.nodes.5.config.agentId: agent not found: ${WORKFLOW_ID}`,
    ])
  })

  test('include archived, disconnected and other-project resources, except at the organization level', async () => {
    const slug = await organizations.furnished()
    const prompt = (llm: string, index: number) =>
      `{ id: n${index}, type: ai-prompt, name: N${index}, config: { prompt: p, model: { primary: { llm_config: ${llm} } } } }`
    const body = (project: string, ...more: string[]) =>
      triage(
        `publish: true\n        project: ${project}`,
        answer('agent: in-one'),
        '{ id: n1, type: team-step, name: N1, config: { team: desk-of-one, message: m } }',
        prompt('of-one', 2),
        ...more,
      )
    expect(await problems(slug, body('two', prompt('off', 3)))).toEqual([
      '13 workflows.0.graph.nodes.1.config.agent: belongs to another project than the workflow: in-one',
      '14 workflows.0.graph.nodes.2.config.team: belongs to another project than the workflow: desk-of-one',
      '15 workflows.0.graph.nodes.3.config.model.primary.llm_config: belongs to another project than the workflow: of-one',
      '16 workflows.0.graph.nodes.4.config.model.primary.llm_config: is not connected: off',
    ])
    await apply(slug, body('null'))
    await apply(slug, body('one'))
    expect(await problems(slug, body('two').replace('publish: true', 'publish: false'))).toEqual([
      '9 workflows.0.project: must not change without publish: the published graph may not fit there',
    ])
  })

  test('include graphs of the wrong shape, in drafts too', async () => {
    const slug = await organizations.furnished()
    expect(
      await problems(slug, '    workflows: [{ slug: t, name: T, graph: { nodes: [{ id: a b }] } }]'),
    ).toEqual([
      '5 workflows.0.graph.edges: is required',
      '5 workflows.0.graph.nodes.0.type: is required',
      '5 workflows.0.graph.nodes.0.name: is required',
      '5 workflows.0.graph.nodes.0.id: must have 1 to 64 letters, digits, _ or -',
    ])
    expect(
      await problems(
        slug,
        '    workflows: [{ slug: t, name: T, publish: true, graph: { nodes: [], edges: [] } }]',
      ),
    ).toEqual(['5 workflows.0.graph.nodes: must have a trigger'])
  })

  test('include unknown types, dangling connections, duplicate ids and a Loop in itself, and nothing is applied', async () => {
    const slug = await organizations.furnished()
    const body = (more = '') => `    agents: [{ slug: made-with-it, name: Made }]
    workflows:
      - slug: wrong
        name: Wrong
        publish: true
        graph:
          nodes:
            - { id: start, type: manual-trigger, name: Start }
            - { id: odd, type: teleport, name: Odd }
            - { id: twice, type: edit-fields, name: One }
            - { id: twice, type: edit-fields, name: Two }
            - { id: each, type: loop, name: Each, parentId: each, config: { list: "{{ trigger.a }}" } }
${more}          edges:
            - { id: e1, source: start, target: nowhere }
            - { id: e2, source: gone, target: odd }
`
    expect(await problems(slug, body())).toEqual([
      '13 workflows.0.graph.nodes.1.type: is not a node type: teleport',
      '14 workflows.0.graph.nodes.2.config.rows: is required',
      '15 workflows.0.graph.nodes.3.id: another node has the id twice',
      '15 workflows.0.graph.nodes.3.config.rows: is required',
      '16 workflows.0.graph.nodes.4.parentId: the Loop would contain itself',
      '16 workflows.0.graph.nodes.4.config.mode: is required',
      '18 workflows.0.graph.edges.0.target: names an unknown node: nowhere',
      '19 workflows.0.graph.edges.1.source: names an unknown node: gone',
    ])
    expect(await workflowsOf(slug)).toEqual([])
    const agents = await parts.database.read.agents.list(await organizations.id(slug))
    expect(agents.map((agent) => agent.slug)).not.toContain('made-with-it')
    // 5,000 steps have a problem each: the first 200 are named with their lines, and the others are counted.
    const many = Array.from(
      { length: 5_000 },
      (_, n) => `            - { id: s${n}, type: edit-fields, name: S${n} }\n`,
    ).join('')
    const ofMany = await problems(slug, body(many))
    expect(ofMany).toHaveLength(MAX_FIELD_ERRORS + 1)
    expect(ofMany).toContain('5018 workflows.0.graph.edges.0.target: names an unknown node: nowhere')
    expect(
      ofMany.filter((one) => /^\d+ workflows\.0\.graph\.nodes\.\d+\.config\.rows: is required$/.test(one))
        .length,
    ).toBeGreaterThan(150)
    expect(ofMany.filter((one) => !/^\d+ workflows\.0\.graph\./.test(one))).toEqual([])
    expect(await workflowsOf(slug)).toEqual([])
  })

  test('include unusable settings of webhooks and forms, and unknown keys', async () => {
    const slug = await organizations.furnished()
    expect(
      await problems(slug, triage('webhook: { token: t }\n        form: { token: t }\n        trigger: x')),
    ).toEqual([
      '8 workflows.0.webhook.token: must match pattern "^[A-Za-z0-9._~-]{8,200}$"',
      '9 workflows.0.form.token: must match pattern "^[A-Za-z0-9._~-]{8,200}$"',
      '10 workflows.0.trigger: is not a known field',
    ])
  })

  test('include duplicate and used slugs and ids', async () => {
    const slug = await organizations.furnished(ANSWERED)
    const workflow = (more: string) => `{ name: T, graph: { nodes: [], edges: [] }, ${more} }`
    const { id } = await firstOf(slug)
    expect(
      await problems(
        slug,
        `    workflows:
      - ${workflow('slug: t')}
      - ${workflow('slug: t')}
      - ${workflow(`slug: triage, id: ${randomUUID()}`)}
    projects: [{ slug: p, name: P, id: ${id} }]
`,
      ),
    ).toEqual([
      '7 workflows.1.slug: is used by another workflow on line 6',
      '8 workflows.2.id: differs from the id of the one that has this slug',
      '9 projects.0.id: is already the id of another resource',
    ])
  })
})

describe('what published workflows use', () => {
  const archive = '    agents: [{ slug: in-one, name: X, project: one, status: archived }]\n'
  const used = triage('publish: true', answer('agent: in-one'))

  test('cannot be archived, except in the bundle that publishes another graph', async () => {
    const slug = await organizations.furnished(used)
    const expected =
      'agents.0.status: must not be archived: the agent is used by the published workflow "Triage"'
    expect(await problems(slug, archive)).toEqual([`5 ${expected}`])
    expect(await problems(slug, archive + used)).toEqual([`5 ${expected}`])
    expect(await problems(slug, archive + used.replace('message: m', 'message: n'))).toEqual([
      '13 workflows.0.graph.nodes.1.config.agent: the agent is archived: in-one',
    ])
    await apply(slug, archive + ANSWERED)
    expect((await apply(slug, archive + ANSWERED)).workflows).toMatchObject({ unchanged: 1 })
  })

  test('cannot move into another project than the workflow', async () => {
    const team = '{ id: n1, type: team-step, name: N1, config: { team: desk, message: m } }'
    const slug = await organizations.furnished(
      triage('publish: true\n        project: one', answer('agent: in-one'), team),
    )
    const move = (project: string) => `    agents: [{ slug: in-one, name: X, project: ${project} }]
    teams: [{ slug: desk, name: Desk, project: ${project}, mode: handoff, lead: { agent: b }, members: [{ agent: a }] }]
`
    expect(await problems(slug, move('two'))).toEqual([
      '5 agents.0.project: must not change: the agent is used by the published workflow "Triage" of another project',
      '6 teams.0.project: must not change: the team is used by the published workflow "Triage" of another project',
    ])
    await apply(slug, move('one'))
    await apply(slug, move('null'))
  })
})
