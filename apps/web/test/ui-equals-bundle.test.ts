import { COORDINATION_MODES, isJsonObject, propertyOf, TEAM_TOGGLES } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

const AGENTS = 4
const TEAMS = 30

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(() => server?.[Symbol.asyncDispose]())

/** Calls the builder's API of an organization, and returns the body of the response. */
async function call(organizationId: string, target: string, body?: object): Promise<unknown> {
  const [method, path] = target.split(' ')
  const answer = await server.call(`${method} /api/builder/v1/organizations/${organizationId}${path}`, {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}` },
    ...(body ? { body } : {}),
  })
  expect(answer.status, `${target}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

const text = (maxLength: number) => fc.string({ minLength: 1, maxLength, unit: 'grapheme' })

/** Settings as the editor of teams sends them: complete, the agents by id, each mode with what belongs to it. */
const teamConfigs = (agentIds: readonly string[]) =>
  fc
    .record({
      mode: fc.constantFrom(...COORDINATION_MODES),
      agents: fc.shuffledSubarray([...agentIds], { minLength: 3 }),
      isManaged: fc.boolean(),
      hasFallback: fc.boolean(),
      instructions: text(400),
      roles: fc.array(fc.option(text(80)), { minLength: AGENTS, maxLength: AGENTS }),
      toggles: fc.record(Object.fromEntries(TEAM_TOGGLES.map((name) => [name, fc.boolean()]))),
      rest: fc.record({
        lead_may_answer_directly: fc.boolean(),
        members_keep_own_history: fc.boolean(),
        min_successful_members: fc.integer({ min: 1, max: 2 }),
        limits: fc.record(
          {
            max_iterations: fc.integer({ min: 1, max: 25 }),
            lead_max_steps: fc.integer({ min: 2, max: 50 }),
            max_delegations: fc.integer({ min: 1, max: 100 }),
            max_concurrent_members: fc.integer({ min: 1, max: 10 }),
            max_seconds: fc.integer({ min: 5, max: 3_600 }),
            member_timeout_ms: fc.option(fc.integer({ min: 1, max: 3_600_000 })),
            history_tokens: fc.integer({ min: 0, max: 32_000 }),
          },
          { requiredKeys: [] },
        ),
      }),
    })
    .map(({ mode, agents, isManaged, hasFallback, instructions, roles, toggles, rest }) => {
      const [first, ...others] = agents
      const members = isManaged ? agents : others
      return {
        ...{ mode, toggles, ...rest },
        lead: isManaged ? { managed: { instructions } } : { agent: first },
        members: members.map((agent, at) => ({ agent, role: roles[at] ?? null })),
        fallback_member: mode === 'handoff' && hasFallback ? members[0] : null,
      }
    })

/** The configurations of all teams by name, with the names of agents for their ids. */
async function teamsOf(organizationId: string): Promise<Map<string, unknown>> {
  const names = new Map<string, string>()
  for (const agent of rows(await call(organizationId, 'GET /agents?limit=100')))
    names.set(String(propertyOf(agent, 'agentId')), String(propertyOf(agent, 'name')))
  const teams = new Map<string, unknown>()
  for (const team of rows(await call(organizationId, 'GET /teams?limit=100'))) {
    const whole = await call(organizationId, `GET /teams/${String(propertyOf(team, 'teamId'))}`)
    teams.set(String(propertyOf(whole, 'name')), withNames(propertyOf(whole, 'config'), names))
  }
  return teams
}

function rows(page: unknown): unknown[] {
  const data = propertyOf(page, 'data')
  return Array.isArray(data) ? data : []
}

function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => withNames(one, names))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, names)]))
}

/** A bundle without the parts that differ in every organization: ids, and the organization's own name and slug. */
const comparable = (bundle: unknown) =>
  String(bundle)
    .split('\n')
    .filter((line) => !/^\s*(#|id: |- slug: org-|name: org-)/.test(line))
    .join('\n')

test('teams of any settings are the same after their bundle was applied to another organization, and so is its bundle', async () => {
  const { organizationId, otherOrganizationId, keys } = server.seed
  const agentIds: string[] = []
  for (let count = 0; count < AGENTS; count += 1)
    agentIds.push(
      String(propertyOf(await call(organizationId, 'POST /agents', { name: `Member ${count}` }), 'agentId')),
    )
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const configs = fc.sample(teamConfigs(agentIds), { numRuns: TEAMS, seed })
  const teamIds: string[] = []
  for (const [at, config] of configs.entries()) {
    const made = await call(organizationId, 'POST /teams', { name: `Team ${at}`, config })
    teamIds.push(String(propertyOf(made, 'teamId')))
  }
  const exportOf = (organization: string, ids: readonly string[]) =>
    call(organization, `GET /bundle?include=${ids.map((id) => `team:${id}`).join(',')}`)
  const bundle = await exportOf(organizationId, teamIds)
  for (const secret of [...Object.values(keys), server.adminToken]) expect(bundle).not.toContain(secret)
  await call(otherOrganizationId, 'POST /bundle/apply', { text: bundle, adopt: true })

  const before = await teamsOf(organizationId)
  const after = await teamsOf(otherOrganizationId)
  expect(after.size).toBe(TEAMS)
  for (const [name, config] of before) expect(after.get(name), `${name}, seed ${seed}`).toEqual(config)
  const otherIds = rows(await call(otherOrganizationId, 'GET /teams?limit=100')).map((team) =>
    String(propertyOf(team, 'teamId')),
  )
  expect(comparable(await exportOf(otherOrganizationId, otherIds))).toBe(comparable(bundle))
  expect(comparable(bundle)).toContain(`name: Team ${TEAMS - 1}`)
}, 60_000)
