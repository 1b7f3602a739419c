import { applyBundle } from '@troupe/bundles'
import { openBundleParts, TEST_ACTOR } from '@troupe/bundles/testing/bundle-parts'
import type { DomainError, OrganizationId } from '@troupe/contract'
import { type Database, openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { describe, expect, test } from 'vitest'
import { createTeam } from '../teams/create-team.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { describeUse } from './describe-use.ts'

const team = (teams: Teams, lead: string, member: string) => ({
  name: `${lead} and ${member}`,
  config: {
    mode: 'handoff',
    lead: { agent: teams.agent(lead) },
    members: [{ agent: teams.agent(member) }],
  },
})

test("the reason names every team and the agent's part in it", () => {
  expect(describeUse([])).toBeNull()
  expect(describeUse([{ name: 'Desk', role: 'member' }])).toBe('belongs to the team "Desk"')
  expect(
    describeUse([
      { name: 'Crew', role: 'member' },
      { name: 'Desk', role: 'lead' },
      { name: 'Panel', role: 'member' },
    ]),
  ).toBe('leads the team "Desk" and belongs to the teams "Crew", "Panel"')
})

test('an agent is in use until its teams are gone', async () => {
  await using teams = await openTeams()
  const { organizationId } = teams.scope
  const use = async (slug: string) =>
    describeUse(await teams.parts.database.read.teams.teamsOf(organizationId, teams.agent(slug)))
  const { teamId } = await createTeam(teams.parts, teams.scope, BUILDER, team(teams, 'a', 'b'))
  expect(await use('a')).toBe('leads the team "a and b"')
  expect(await use('b')).toBe('belongs to the team "a and b"')
  expect(await use('c')).toBeNull()
  await deleteTeam(teams.parts, teams.scope, BUILDER, teamId)
  expect(await use('a')).toBeNull()
})

/** Archives an agent through a bundle while a team adds it: one of the two must be refused. */
async function raceOnce(teams: Teams, databases: readonly [Database, Database], slug: string): Promise<void> {
  const [one, two] = databases
  const text = `apiVersion: troupe/v1\norganizations: [{ slug: acme, name: Acme, agents: [{ slug: ${slug}, name: X, status: archived }] }]`
  const [archived, created] = await Promise.allSettled([
    applyBundle(await openBundleParts(one), { text, variables: {}, actor: TEST_ACTOR }),
    createTeam({ ...teams.parts, database: two }, teams.scope, BUILDER, team(teams, slug, 'a')),
  ])
  expect([archived.status, created.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = archived.status === 'rejected' ? archived : (created as PromiseRejectedResult)
  expect((refused.reason as DomainError).errors?.[0]?.message).toMatch(
    archived.status === 'rejected' ? /must not be archived/ : /is an archived agent/,
  )
}

/** Enough agents for this many races. */
async function agentsFor(
  database: Database,
  organizationId: OrganizationId,
  count: number,
): Promise<string[]> {
  const slugs = Array.from({ length: count }, (_, n) => `r${n}`)
  const agents = slugs.map((slug) => `{ slug: ${slug}, name: R }`).join(', ')
  const text = `apiVersion: troupe/v1\norganizations: [{ slug: acme, name: Acme, agents: [${agents}] }]`
  await applyBundle(await openBundleParts(database), { text, variables: {}, actor: TEST_ACTOR })
  expect(await database.read.agents.list(organizationId)).toHaveLength(count + 5)
  return slugs
}

/** A database that reports when one of its transactions is about to wait for an organization. */
function telling(database: Database, asked: () => void): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(({ write, ...rest }) => {
        const told = <T>(locked: Promise<T>) => {
          asked()
          return locked
        }
        const organizations: typeof write.organizations = {
          ...write.organizations,
          lock: (id) => told(write.organizations.lock(id)),
          hold: (id) => told(write.organizations.hold(id)),
        }
        return work({ ...rest, write: { ...write, organizations } })
      }),
  }
}

describe('archiving an agent while a team takes it', () => {
  const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true })
  const migrate = async (url: string) => (await open(url))[Symbol.asyncDispose]()

  test('refuses one of the two, from two processes on PostgreSQL', async ({ skip }) => {
    await using postgres = await testPostgres(migrate)
    if (!postgres) return skip()
    await using own = await postgres.createDatabase()
    await using one = await open(own.url)
    await using two = await open(own.url)
    await using seeded = await openTeams(one)
    const ids = new Map<string, string>()
    const slugs = await agentsFor(one, seeded.scope.organizationId, 12)
    for (const { slug, id } of await one.read.agents.list(seeded.scope.organizationId))
      ids.set(slug ?? '', id)
    const teams = { ...seeded, agent: (slug: string) => (ids.get(slug) ?? '') as never }
    for (const [n, slug] of slugs.entries()) await raceOnce(teams, n % 2 ? [one, two] : [two, one], slug)
  })

  test('makes the team wait until the agent is archived, and then refuses it', async ({ skip }) => {
    await using postgres = await testPostgres(migrate)
    if (!postgres) return skip()
    await using own = await postgres.createDatabase()
    await using one = await open(own.url)
    await using two = await open(own.url)
    await using teams = await openTeams(one)
    const { organizationId } = teams.scope
    const asked = Promise.withResolvers<void>()
    const waiting = telling(two, asked.resolve)
    let created: Promise<unknown> = Promise.resolve()
    await one.transaction(async ({ write }) => {
      await write.organizations.lock(organizationId)
      const agent = await write.agents.lock(organizationId, teams.agent('b'))
      await write.agents.update({ ...agent!, status: 'archived' }, BUILDER)
      created = createTeam(
        { ...teams.parts, database: waiting },
        teams.scope,
        BUILDER,
        team(teams, 'a', 'b'),
      ).catch((error: unknown) => error)
      await asked.promise
    })
    expect(await created).toMatchObject({
      code: 'validation_error',
      errors: [{ path: 'config.members.0.agent', message: 'is an archived agent' }],
    })
  })

  test('makes the bundle wait until the team is there, and then refuses it', async ({ skip }) => {
    await using postgres = await testPostgres(migrate)
    if (!postgres) return skip()
    await using own = await postgres.createDatabase()
    await using one = await open(own.url)
    await using two = await open(own.url)
    await using teams = await openTeams(one)
    const asked = Promise.withResolvers<void>()
    const bundle = await openBundleParts(telling(two, asked.resolve))
    let archived: Promise<unknown> = Promise.resolve()
    /** Starts archiving while the team is written and not yet committed. */
    const slow: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        one.transaction(async (tx) => {
          const result = await work(tx)
          const text =
            'apiVersion: troupe/v1\norganizations: [{ slug: acme, name: Acme, agents: [{ slug: b, name: X, status: archived }] }]'
          archived = applyBundle(bundle, { text, variables: {}, actor: TEST_ACTOR })
          await Promise.race([asked.promise, archived])
          return result
        }),
    }
    await createTeam({ ...teams.parts, database: slow }, teams.scope, BUILDER, team(teams, 'a', 'b'))
    await expect(archived).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining('must not be archived: the agent belongs to the team') }],
    })
  })
})
