import { randomUUID } from 'node:crypto'
import type { DomainError } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRunnable } from '../runnables/find-runnable.ts'
import { presentTeam } from '../runnables/present-runnable.ts'
import { createTeam } from './create-team.ts'
import { BUILDER, openTeams, type Teams } from './testing/open-teams.ts'

let teams: Teams & AsyncDisposable
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())

const config = (...members: string[]) => ({
  mode: 'handoff',
  lead: { managed: {} },
  members: members.map((slug) => ({ agent: teams.agent(slug) })),
})
const create = (body: object, scope = teams.scope) =>
  createTeam(teams.parts, scope, BUILDER, { name: 'Desk', config: config('a', 'b'), ...body })
const get = async (id: string, scope = teams.scope) => {
  const { byId } = teams.parts.database.read.teams
  return presentTeam(await findRunnable('team', byId, scope, id))
}
async function refusal(attempt: Promise<unknown>) {
  const { code, errors } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}

describe('creating a team', () => {
  test('returns the whole configuration, writes one audit row and notifies this process', async () => {
    teams.audited()
    teams.parts.told.length = 0
    const team = await create({ description: 'Answers.' })
    expect(team).toMatchObject({
      name: 'Desk',
      description: 'Answers.',
      projectId: null,
      configSchemaVersion: 1,
      config: {
        mode: 'handoff',
        members: [
          { agent: teams.agent('a'), role: null },
          { agent: teams.agent('b'), role: null },
        ],
        limits: { max_delegations: 20 },
      },
    })
    expect(await get(team.teamId)).toEqual(team)
    expect(teams.audited()).toMatchObject([
      {
        action: 'team.created',
        entityId: team.teamId,
        actor: BUILDER,
        before: null,
        after: { name: 'Desk' },
      },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
  })

  test('in a project scope, always creates in that project', async () => {
    const { projectScope, project } = teams
    expect(await create({ projectId: project('two') }, projectScope)).toMatchObject({
      projectId: project('one'),
    })
    expect(await create({ projectId: project('two') })).toMatchObject({ projectId: project('two') })
  })

  test('refuses projects of other organizations, and missing ones', async () => {
    for (const projectId of [teams.project('theirs'), randomUUID()]) {
      expect(await refusal(create({ projectId }))).toEqual(['project_not_found'])
    }
  })

  test('refuses a configuration with every failure, and writes nothing', async () => {
    teams.audited()
    expect(await refusal(create({ config: { mode: 'handoff', members: [] } }))).toEqual([
      'validation_error',
      'config.lead is required',
    ])
    expect(await refusal(create({ config: config('a') }))).toEqual([
      'validation_error',
      'config.members must have at least 2 members when the lead is managed',
    ])
    expect(teams.audited()).toEqual([])
  })

  test('refuses archived, foreign and missing agents, each with its path', async () => {
    const nobody = randomUUID()
    const members = [teams.agent('a'), teams.agent('x'), nobody].map((agent) => ({ agent }))
    expect(
      await refusal(create({ config: { ...config(), lead: { agent: teams.agent('old') }, members } })),
    ).toEqual([
      'validation_error',
      'config.lead.agent is an archived agent',
      'config.members.1.agent is not an agent of this organization',
      'config.members.2.agent is not an agent of this organization',
    ])
  })

  test('accepts agents of the organization level and of its own project, any at the organization level', async () => {
    const { project } = teams
    const withInOne = { config: config('a', 'in-one') }
    expect(await refusal(create({ ...withInOne, projectId: project('two') }))).toEqual([
      'validation_error',
      'config.members.1.agent is an agent of another project than the team',
    ])
    await create({ ...withInOne, projectId: project('one') })
    await create(withInOne)
  })

  test('accepts LLM configurations for a managed lead by the rule of agents', async () => {
    const lead = (primary: string, fallback: string) => ({
      managed: {
        model: { primary: { llm_config_id: primary }, fallbacks: [{ llm_config_id: fallback }] },
      },
    })
    const { llm, project } = teams
    const body = (primary: string, fallback: string) => ({
      config: { ...config('a', 'b'), lead: lead(primary, fallback) },
    })
    expect(await refusal(create({ ...body(llm('of-one'), llm('off')), projectId: project('two') }))).toEqual([
      'llm_configuration_not_found',
      'config.lead.managed.model.primary.llm_config_id does not exist, is not connected or is not visible here',
      'config.lead.managed.model.fallbacks.0.llm_config_id does not exist, is not connected or is not visible here',
    ])
    await create({ ...body(llm('of-one'), llm('main')), projectId: project('one') })
    await create(body(llm('of-one'), llm('main')))
  })

  test('accepts a credential for a rule by the rule of agents, and only for its hosts', async () => {
    const { credential, project } = teams
    const guarded = (credential_id: string, url = 'https://one.example/check') => ({
      ...config('a', 'b'),
      guardrails: { output: [{ type: 'webhook', action: 'block', url, credential_id }] },
    })
    const path = 'config.guardrails.output.0.credential_id'
    const missing = ['credential_not_found', `${path} does not exist or is not visible here`]
    expect(await refusal(create({ config: guarded(randomUUID()) }))).toEqual(missing)
    const ofOne = credential('of-one')
    expect(await refusal(create({ config: guarded(ofOne), projectId: project('two') }))).toEqual(missing)
    expect(await refusal(create({ config: guarded(ofOne, 'https://two.example/') }))).toEqual([
      'validation_error',
      `${path} does not cover the host of the URL`,
    ])
    await create({ config: guarded(ofOne), projectId: project('one') })
    await create({ config: guarded(ofOne) })
  })
})

describe('reading teams', () => {
  test('of another project is forbidden, and any other is not found', async () => {
    const inTwo = await create({ projectId: teams.project('two') })
    expect(await refusal(get(inTwo.teamId, teams.projectScope))).toEqual(['forbidden'])
    for (const id of [randomUUID(), 'nonsense']) {
      expect(await refusal(get(id))).toEqual(['team_not_found'])
    }
    expect(await refusal(get(inTwo.teamId, teams.otherScope))).toEqual(['team_not_found'])
  })
})
