import { randomUUID } from 'node:crypto'
import { newId, type OrganizationId, TeamId } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import type { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const AGENT_ID = '40000000-0000-4000-8000-00000000000A'
const TEAM_ID = '40000000-0000-4000-8000-00000000000b'
let parts: BundleParts
let round = 0

beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

function apply(slug: string, body: string) {
  const text = `apiVersion: troupe/v1\norganizations:\n  - slug: ${slug}\n    name: Acme\n${body}`
  return applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
}

/** A separate organization: two projects, four agents, and one configuration at each level. */
async function newOrganization(more = ''): Promise<string> {
  round += 1
  const slug = `acme-${round}`
  const sandbox = 'providerId: sandbox, models: [{ modelId: m }]'
  await apply(
    slug,
    `    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    llmConfigurations:
      - { slug: main, name: Main, default: true, ${sandbox} }
      - { slug: of-one, name: Of one, project: one, ${sandbox} }
    agents:
      - { slug: a, name: A, status: active }
      - { slug: b, name: B }
      - { slug: in-one, name: In one, project: one }
      - { slug: old, name: Old, status: archived }
${more}`,
  )
  return slug
}

const DESK = `    teams:
      - slug: desk
        name: Desk
        mode: handoff
        lead: { managed: { instructions: "You lead.", model: { primary: { llm_config: main, model_id: m } } } }
        members: [{ agent: a, role: first }, { agent: b }]
`

async function organizationId(slug: string): Promise<OrganizationId> {
  const organization = await parts.database.read.organizations.bySlug(slug)
  if (!organization) throw new Error('the organization is missing')
  return organization.id
}
const teamsOf = async (slug: string) => parts.database.read.teams.list(await organizationId(slug))
const agentId = async (slug: string, agent: string) =>
  (await parts.database.read.agents.list(await organizationId(slug))).find((row) => row.slug === agent)?.id

/** Problems of a body whose first line is line 5. */
async function problems(slug: string, body: string): Promise<string[]> {
  const error = (await apply(slug, body).catch((thrown: unknown) => thrown)) as BundleError
  return error.problems.map(({ path, message, line }) => `${line} ${path.slice(16)}: ${message}`)
}

describe('applying teams', () => {
  test('creates them with their references resolved, and a second time writes nothing', async () => {
    const slug = await newOrganization()
    const applied = await apply(slug, DESK)
    expect(applied.organizations[0]?.teams).toEqual({ created: 1, updated: 0, unchanged: 0 })
    const [team] = await teamsOf(slug)
    const [llm] = await parts.database.read.llmConfigurations.list(await organizationId(slug))
    expect(team).toMatchObject({
      slug: 'desk',
      name: 'Desk',
      projectId: null,
      config: {
        lead: { managed: { instructions: 'You lead.', model: { primary: { llm_config_id: llm?.id } } } },
        members: [
          { agent: await agentId(slug, 'a'), role: 'first' },
          { agent: await agentId(slug, 'b'), role: null },
        ],
        toggles: { auto_member_input: true },
      },
    })
    parts.told.length = 0
    const again = await apply(slug, DESK)
    expect(again.organizations[0]?.teams).toEqual({ created: 0, updated: 0, unchanged: 1 })
    expect(await teamsOf(slug)).toEqual([team])
    expect(parts.told).toEqual([])
  })

  test('describes them completely: fields omitted by a later bundle have their defaults again', async () => {
    const slug = await newOrganization()
    await apply(slug, `${DESK}        limits: { max_seconds: 60 }\n        fallback_member: b\n`)
    const [before] = await teamsOf(slug)
    expect(before?.config).toMatchObject({
      limits: { max_seconds: 60 },
      fallback_member: await agentId(slug, 'b'),
    })
    expect((await apply(slug, DESK)).organizations[0]?.teams.updated).toBe(1)
    const [after] = await teamsOf(slug)
    expect(after?.config).toMatchObject({ limits: { max_seconds: 900 }, fallback_member: null })
    expect(after?.versionId).not.toBe(before?.versionId)
    expect(parts.told).toContain(await organizationId(slug))
  })

  test('takes ids for agents, configurations and teams, in any case, and projects by slug', async () => {
    round += 1
    const slug = `acme-${round}`
    await apply(
      slug,
      `    projects: [{ slug: one, name: One }]
    agents: [{ slug: a, name: A, id: ${AGENT_ID} }, { slug: b, name: B, project: one }]
    teams:
      - { slug: t, name: T, id: ${TEAM_ID}, project: one, mode: parallel, lead: { agent: b }, members: [{ agent: ${AGENT_ID} }] }
`,
    )
    const [team] = await teamsOf(slug)
    expect(team).toMatchObject({
      id: TEAM_ID,
      config: { lead: { agent: await agentId(slug, 'b') }, members: [{ agent: AGENT_ID.toLowerCase() }] },
    })
    expect(team?.projectId).not.toBeNull()
    await apply(
      slug,
      `    teams: [{ slug: renamed, name: T, id: ${TEAM_ID}, mode: handoff, lead: { agent: a }, members: [{ agent: b }] }]`,
    )
    expect((await teamsOf(slug)).map(({ slug, projectId }) => [slug, projectId])).toEqual([['renamed', null]])
  })

  test('finds agents without a slug by their ids', async () => {
    const slug = await newOrganization()
    const id = await organizationId(slug)
    const [agent] = await parts.database.read.agents.list(id)
    const made = { ...agent!, id: randomUUID() as typeof agent & string, slug: null, name: 'Made' }
    await parts.database.transaction(({ write }) => write.agents.insert(made as never, TEST_ACTOR))
    await apply(
      slug,
      `    teams: [{ slug: t, name: T, mode: handoff, lead: { managed: {} }, members: [{ agent: a }, { agent: ${made.id} }] }]`,
    )
    expect((await teamsOf(slug))[0]?.config.members[1]?.agent).toBe(made.id)
  })
})

describe('problems of teams', () => {
  test('include dangling references, with their lines', async () => {
    const slug = await newOrganization()
    expect(
      await problems(
        slug,
        `    teams:
      - slug: t
        name: T
        project: nope
        mode: handoff
        lead: { managed: { model: { primary: { llm_config: gone }, fallbacks: [{ llm_config_id: ${TEAM_ID} }] } } }
        members:
          - { agent: nobody }
          - { agent: nobody }
          - { agent: ${TEAM_ID} }
        fallback_member: nobody
      - { slug: u, name: U, mode: handoff, lead: { agent: ghost }, members: [{ agent: a }] }
`,
      ),
    ).toEqual([
      '8 teams.0.project: is not a project of this organization: nope',
      '10 teams.0.lead.managed.model.primary.llm_config: is not an LLM configuration of this organization: gone',
      `10 teams.0.lead.managed.model.fallbacks.0.llm_config_id: is not an LLM configuration of this organization: ${TEAM_ID}`,
      '12 teams.0.members.0.agent: is not an agent of this organization: nobody',
      '13 teams.0.members.1.agent: is not an agent of this organization: nobody',
      '13 teams.0.members.1.agent: is already a member',
      `14 teams.0.members.2.agent: is not an agent of this organization: ${TEAM_ID}`,
      '15 teams.0.fallback_member: is not an agent of this organization: nobody',
      '16 teams.1.lead.agent: is not an agent of this organization: ghost',
    ])
  })

  test('include archived agents and those of another project, except for teams at the organization level', async () => {
    const slug = await newOrganization()
    const team = (project: string, members: string) =>
      `    teams: [{ slug: t, name: T, project: ${project}, mode: handoff, lead: { managed: { model: { primary: { llm_config: of-one } } } }, members: [{ agent: a }, { agent: ${members} }] }]`
    expect(await problems(slug, team('two', 'in-one'))).toEqual([
      '5 teams.0.lead.managed.model.primary.llm_config: belongs to another project than the team: of-one',
      '5 teams.0.members.1.agent: is an agent of another project than the team: in-one',
    ])
    expect(await problems(slug, team('null', 'old'))).toEqual([
      '5 teams.0.members.1.agent: is an archived agent: old',
    ])
    await apply(slug, team('null', 'in-one'))
    await apply(slug, team('one', 'in-one'))
  })

  test('include invalid configurations, in fields beside the name and without `config`', async () => {
    const slug = await newOrganization()
    expect(
      await problems(
        slug,
        `    teams:
      - slug: t
        name: T
        mode: parallel
        lead: { managed: { instructions: 7, model: { primary: { temperature: 9 } } } }
        members: [{ agent: a }, { agent: b }]
      - slug: u
        name: U
        mode: parallel
        lead: { agent: a }
        members: [{ agent: a }]
        fallback_member: a
        limits: { max_seconds: 5 }
      - { slug: v, name: V, mode: swarm, lead: {}, members: [], config: {}, limits: { max_seconds: 1 } }
`,
      ),
    ).toEqual([
      '9 teams.0.lead.managed.instructions: must be a string',
      '9 teams.0.lead.managed.model.primary.temperature: must be at most 2',
      '15 teams.1.members.0.agent: is the lead of the team, which is not listed among its members',
      '16 teams.1.fallback_member: must be null in every mode but handoff',
      '18 teams.2.config: is not a known field',
      '18 teams.2.mode: must be one of: handoff, dynamic-delegation, parallel, plan-execute',
      '18 teams.2.lead: must be an object with managed, or an object with agent',
      '18 teams.2.limits.max_seconds: must be at least 5',
    ])
  })

  test('include duplicate and used slugs and ids', async () => {
    const slug = await newOrganization(DESK)
    const [desk] = await teamsOf(slug)
    const team = (more: string) =>
      `{ name: T, mode: handoff, lead: { agent: a }, members: [{ agent: b }], ${more} }`
    expect(
      await problems(
        slug,
        `    teams:
      - ${team('slug: t')}
      - ${team('slug: t')}
      - ${team(`slug: desk, id: ${randomUUID()}`)}
      - ${team(`slug: u, id: ${await agentId(slug, 'a')}`)}
`,
      ),
    ).toEqual([
      '7 teams.1.slug: is used by another team on line 6',
      '8 teams.2.id: differs from the id of the one that has this slug',
      '9 teams.3.id: is already the id of another resource',
    ])
    expect(await problems(slug, `    projects: [{ slug: p, name: P, id: ${desk?.id} }]`)).toEqual([
      '5 projects.0.id: is already the id of another resource',
    ])
  })

  test('of referenced resources do not make references dangling', async () => {
    const slug = await newOrganization()
    expect(
      await problems(
        slug,
        `    agents: [{ slug: new, name: "" }, { slug: wrong, name: W, config: { instructions: 5 } }]
    teams: [{ slug: t, name: T, mode: handoff, lead: { agent: a }, members: [{ agent: new }, { agent: wrong }] }]`,
      ),
    ).toEqual(['5 agents.0.name: must not be empty', '5 agents.1.config.instructions: must be a string'])
  })
})

describe('agents of teams', () => {
  const archive = (...slugs: string[]) =>
    `    agents: [${slugs.map((one) => `{ slug: ${one}, name: X, status: archived }`).join(', ')}]\n`

  test('cannot be archived while they lead or belong to teams, and the message names every team', async () => {
    const slug = await newOrganization(
      `${DESK}      - { slug: duo, name: The Duo, mode: handoff, lead: { agent: a }, members: [{ agent: b }] }\n`,
    )
    expect(await problems(slug, archive('a', 'b', 'in-one'))).toEqual([
      '5 agents.0.status: must not be archived: the agent leads the team "The Duo" and belongs to the team "Desk"',
      '5 agents.1.status: must not be archived: the agent belongs to the teams "Desk", "The Duo"',
    ])
  })

  test('can be archived in the bundle that removes them from their team', async () => {
    const slug = await newOrganization(DESK)
    const swapped = DESK.replace('agent: b', 'agent: in-one')
    expect(await problems(slug, archive('b') + DESK)).toEqual([
      '11 teams.0.members.1.agent: is an archived agent: b',
    ])
    await apply(slug, archive('b') + swapped)
    expect((await apply(slug, archive('b') + swapped)).organizations[0]).toMatchObject({
      agents: { updated: 0, unchanged: 1 },
      teams: { updated: 0, unchanged: 1 },
    })
  })

  test('cannot move into another project than their team', async () => {
    const slug = await newOrganization(
      '    teams: [{ slug: t, name: T, project: one, mode: handoff, lead: { agent: a }, members: [{ agent: in-one }] }]',
    )
    const move = (project: string) => `    agents: [{ slug: a, name: A, project: ${project} }]`
    expect(await problems(slug, move('two'))).toEqual([
      '5 agents.0.project: must not change: the agent leads the team "T" of another project',
    ])
    await apply(slug, move('one'))
    await apply(slug, move('null'))
  })
})

describe('exporting teams', () => {
  test('yields the same text after it was applied, there and on an empty database', async () => {
    const slug = await newOrganization(`${DESK}        fallback_member: b
        toggles: { add_datetime: true }
        memory: { history: { max_runs: 3 } }
        output: { mode: json_schema, schema: { type: object, properties: { zeta: {}, alpha: {} } } }
        limits: { member_timeout_ms: 500, budget: { max_total_tokens: 9 } }
      - slug: duo
        name: Duo
        project: one
        description: "Costs $\${amount}"
        mode: dynamic-delegation
        lead: { agent: in-one }
        members: [{ agent: a }]
        guardrails: { input: [{ type: pii, action: block }] }
      - slug: plain
        name: Plain
        mode: parallel
        lead: { managed: { model: { fallbacks: [{ llm_config: main }, { on: [timeout] }] } } }
        members: [{ agent: a }, { agent: b }]
`)
    const exported = await exportBundle(parts, slug)
    expect(exported).toContain('fallback_member: b')
    expect(exported).toMatch(/lead:\n\s+agent: in-one\n/)
    expect(exported).not.toContain('max_delegations')
    const applied = await applyBundle(parts, { text: exported, variables: {}, actor: TEST_ACTOR })
    expect(applied.organizations[0]).toMatchObject({
      agents: { created: 0, updated: 0, unchanged: 4 },
      teams: { created: 0, updated: 0, unchanged: 3 },
    })
    expect(await exportBundle(parts, slug)).toBe(exported)

    await using other = await openBundleParts()
    await applyBundle(other, { text: exported, variables: {}, actor: TEST_ACTOR })
    expect(await exportBundle(other, slug)).toBe(exported)
  })

  test('adds missing slugs of teams and agents, and applying that changes nothing', async () => {
    const slug = await newOrganization(DESK)
    const { read, transaction } = parts.database
    const id = await organizationId(slug)
    const [agent] = await read.agents.list(id)
    const [team] = await read.teams.list(id)
    const made = {
      ...agent!,
      id: randomUUID() as string as NonNullable<typeof agent>['id'],
      slug: null,
      name: 'A',
    }
    await transaction(async ({ write }) => {
      await write.agents.insert(made, TEST_ACTOR)
      for (const name of ['Désk!', '***']) {
        const config = { ...team!.config, members: [{ agent: made.id, role: null }, ...team!.config.members] }
        await write.teams.insert({ ...team!, id: newId(TeamId), slug: null, name, config }, TEST_ACTOR)
      }
    })
    const text = await exportBundle(parts, slug)
    expect([...text.matchAll(/- slug: (\S+)\n\s+name: (?:Désk!|"\*)/g)].map((match) => match[1])).toEqual([
      'desk-2',
      'team',
    ])
    expect(text).toContain('- agent: a-2')
    const applied = await applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
    expect(applied.organizations[0]?.teams).toEqual({ created: 0, updated: 0, unchanged: 3 })
    expect(await read.teams.list(id)).toHaveLength(1)
  })
})
