import { randomUUID } from 'node:crypto'
import { checkedId, type DomainError, type Team, TeamId, type UpdateTeamBody } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTeam } from './create-team.ts'
import { deleteTeam } from './delete-team.ts'
import { restoreTeamVersion } from './restore-team-version.ts'
import { BUILDER, openTeams, type Teams } from './testing/open-teams.ts'
import { updateTeam } from './update-team.ts'

let teams: Teams & AsyncDisposable
let team: Team
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(async () => {
  const members = [{ agent: teams.agent('a') }, { agent: teams.agent('b') }]
  const config = { mode: 'handoff', lead: { managed: { instructions: 'Lead.' } }, members }
  team = await createTeam(teams.parts, teams.scope, BUILDER, { name: 'Desk', description: 'First.', config })
  teams.audited()
  teams.parts.told.length = 0
})

const update = (body: UpdateTeamBody, scope = teams.scope, id = team.teamId) =>
  updateTeam(teams.parts, scope, BUILDER, id, body)
const remove = (scope = teams.scope, id = team.teamId) => deleteTeam(teams.parts, scope, BUILDER, id)
const restore = (versionId: string, scope = teams.scope) =>
  restoreTeamVersion(teams.parts, scope, BUILDER, { teamId: team.teamId, versionId })
const versions = () =>
  teams.parts.database.versions.page(
    { ...teams.scope, kind: 'team', id: team.teamId },
    { page: 1, limit: 10 },
  )
async function refusal(attempt: Promise<unknown>) {
  const { code, errors } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}

describe('updating a team', () => {
  test('changes the sent fields, keeps the rest and records a version and an audit row', async () => {
    const updated = await update({
      name: 'Bureau',
      config: { limits: { max_seconds: 60 }, lead: { managed: { model: { primary: { model_id: 'm' } } } } },
    })
    expect(updated).toMatchObject({
      teamId: team.teamId,
      name: 'Bureau',
      description: 'First.',
      config: {
        limits: { max_seconds: 60, max_delegations: 20 },
        lead: { managed: { instructions: 'Lead.', model: { primary: { model_id: 'm' } } } },
      },
    })
    expect(updated.versionId).not.toBe(team.versionId)
    expect(teams.audited()).toMatchObject([
      {
        action: 'team.updated',
        actor: BUILDER,
        before: { name: 'Desk', config: { limits: { max_seconds: 900 } } },
        after: { name: 'Bureau', config: { limits: { max_seconds: 60 } } },
      },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
  })

  test('clears a description with null', async () => {
    expect(await update({ description: null })).toMatchObject({ name: 'Desk', description: null })
  })

  test('merges two concurrent updates one after the other', async () => {
    await Promise.all([
      update({ config: { limits: { max_seconds: 60 } } }),
      update({ config: { limits: { max_delegations: 3 } } }),
      update({ config: { toggles: { add_datetime: true } } }),
    ])
    const stored = await teams.parts.database.read.teams.byId(
      teams.scope.organizationId,
      checkedId(TeamId, team.teamId),
    )
    expect(stored?.config).toMatchObject({
      limits: { max_seconds: 60, max_delegations: 3 },
      toggles: { add_datetime: true },
    })
  })

  test('refuses an empty body, contradictions and unusable agents', async () => {
    expect(await refusal(update({}))).toEqual([
      'validation_error',
      'body must have at least one of name, description, config',
    ])
    expect(await refusal(update({ config: { fallback_member: teams.agent('c') } }))).toEqual([
      'validation_error',
      'config.fallback_member must be one of the members',
    ])
    expect(await refusal(update({ config: { lead: { agent: teams.agent('old') } } }))).toEqual([
      'validation_error',
      'config.lead.agent is an archived agent',
    ])
    expect((await versions()).total).toBe(1)
    expect(teams.audited()).toEqual([])
  })

  test('requires access to the team', async () => {
    expect(await refusal(update({ name: 'X' }, teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(update({ name: 'X' }, teams.otherScope))).toEqual(['team_not_found'])
    expect(await refusal(update({ name: 'X' }, teams.scope, randomUUID()))).toEqual(['team_not_found'])
  })
})

describe('versions of a team', () => {
  test('are restored as a new version, with name, description and the whole configuration', async () => {
    const members = [{ agent: teams.agent('c') }]
    await update({
      name: 'Other',
      description: null,
      config: { lead: { agent: teams.agent('a') }, members, limits: { max_seconds: 9 } },
    })
    teams.audited()
    const restored = await restore(team.versionId)
    const { teamId, versionId: _, updatedAt: __, ...before } = team
    expect(restored).toMatchObject({ teamId, ...before })
    expect(restored.versionId).not.toBe(team.versionId)
    expect((await versions()).rows.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(teams.audited()).toMatchObject([{ action: 'team.restored', before: { name: 'Other' } }])
  })

  test('are not restored if they name an agent that was archived since', async () => {
    const first = team.versionId
    await update({ config: { members: [{ agent: teams.agent('a') }, { agent: teams.agent('c') }] } })
    const { database } = teams.parts
    const b = await database.read.agents.byId(teams.scope.organizationId, teams.agent('b'))
    await database.transaction(({ write }) => write.agents.update({ ...b!, status: 'archived' }, BUILDER))
    expect(await refusal(restore(first))).toEqual([
      'validation_error',
      'config.members.1.agent is an archived agent',
    ])
    await database.transaction(({ write }) => write.agents.update(b!, BUILDER))
  })

  test('of another team or none are not found', async () => {
    const config = { ...team.config } as Record<string, unknown>
    const other = await createTeam(teams.parts, teams.scope, BUILDER, { name: 'Other', config })
    for (const versionId of [other.versionId, randomUUID(), 'nonsense']) {
      expect(await refusal(restore(versionId))).toEqual(['version_not_found'])
    }
    expect(await refusal(restore(team.versionId, teams.projectScope))).toEqual(['forbidden'])
  })
})

describe('deleting a team', () => {
  test('deletes it once, with an audit row of its previous state', async () => {
    await remove()
    expect(teams.audited()).toMatchObject([
      { action: 'team.deleted', before: { name: 'Desk', config: { mode: 'handoff' } }, after: null },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
    expect(await refusal(remove())).toEqual(['team_not_found'])
    expect(await versions()).toEqual({ rows: [], total: 0 })
  })

  test('requires access to the team', async () => {
    expect(await refusal(remove(teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(remove(teams.otherScope))).toEqual(['team_not_found'])
  })
})
