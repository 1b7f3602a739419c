import { randomUUID } from 'node:crypto'
import type { CoordinationMode } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BROKEN, broadcast, delegate, route } from './lead-decisions.ts'
import { RUN_ENDPOINTS, requestRun } from './run-endpoints.ts'
import { type Cast, startTeamSetting, type TeamSetting, type TestTeam } from './team-setting.ts'

let setting: TeamSetting
let team: TestTeam
beforeAll(async () => {
  setting = await startTeamSetting()
  team = await setting.team('handoff')
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.play({ lead: route('m2', 'Please.'), m1: 'A', m2: 'B', m3: 'C' }))

const errorOf = (error: string) => ({ error, message: expect.any(String) })
const NOT_FOUND = { error: 'team_not_found', message: 'Team not found in this organization.' }

describe('teams that cannot run', () => {
  test.for(RUN_ENDPOINTS)('an unknown, foreign or malformed id is the same 404 on %s', async (endpoint) => {
    const { seed } = setting.server
    for (const id of [randomUUID(), 'nonsense', team.agentIds[0] ?? '']) {
      expect(await requestRun(setting, endpoint, id, { message: 'x' })).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      })
    }
    const foreign = await requestRun(
      setting,
      endpoint,
      team.teamId,
      { message: 'x' },
      seed.keys.otherOrganization,
    )
    expect([foreign.status, foreign.body]).toEqual([404, NOT_FOUND])
    expect(await requestRun(setting, endpoint, randomUUID(), {})).toMatchObject({ status: 400 })
  })

  test.for(RUN_ENDPOINTS)('a project key runs the teams of its project only on %s', async (endpoint) => {
    const { project, otherProject } = setting.server.seed.keys
    const own = await setting.team('handoff', { project: true })
    const forbidden = {
      error: 'forbidden',
      message: 'The team does not belong to the project of this API key.',
    }
    expect((await requestRun(setting, endpoint, own.teamId, { message: 'x' }, project)).status).toBeLessThan(
      300,
    )
    const refused = await requestRun(setting, endpoint, own.teamId, { message: 'x' }, otherProject)
    expect([refused.status, refused.body]).toEqual([403, forbidden])
    const organizationLevel = await requestRun(setting, endpoint, team.teamId, { message: 'x' }, project)
    expect([organizationLevel.status, organizationLevel.body]).toEqual([403, forbidden])
  })

  test.for(RUN_ENDPOINTS)('a missing or unusable key is 401 on %s', async (endpoint) => {
    const { seed } = setting.server
    for (const key of [null, 'nonsense', seed.keys.expired, seed.keys.revoked]) {
      const answer = await requestRun(setting, endpoint, team.teamId, { message: 'x' }, key)
      expect([answer.status, answer.body]).toEqual([401, errorOf('unauthorized')])
    }
  })

  test('a team is not an agent', async () => {
    expect(
      await setting.call(`POST /api/v1/agents/${team.teamId}/run`, { body: { message: 'x' } }),
    ).toMatchObject({
      status: 404,
      body: { error: 'agent_not_found' },
    })
  })

  test('a lead without a connected model is 502, not 422', async () => {
    const own = await setting.team('parallel', {
      model: { lead: { primary: { llm_config_id: setting.server.seed.llm.disconnected } } },
    })
    const { status, body } = await setting.run(own, { message: 'x' })
    expect([status, body]).toEqual([
      502,
      {
        error: 'upstream_error',
        message: "The team's lead has no connected LLM configuration with a model that it may use.",
      },
    ])
    expect(setting.calls()).toEqual([])
  })
})

describe('failing runs', () => {
  test.for<[CoordinationMode, Cast]>([
    ['handoff', { lead: BROKEN, m1: 'A', m2: 'B', m3: 'C' }],
    ['dynamic-delegation', { lead: BROKEN }],
    ['dynamic-delegation', { lead: [delegate(['m1', 'x']), BROKEN], m1: 'A' }],
    ['parallel', { lead: BROKEN }],
    ['parallel', { lead: [broadcast('x'), BROKEN], m1: 'A', m2: 'B', m3: 'C' }],
    ['plan-execute', { lead: BROKEN }],
  ])('an unreachable lead is 502 with one safe sentence in %s', async ([mode, cast]) => {
    const own = await setting.team(mode)
    setting.play(cast)
    const { status, body } = await setting.run(own, { message: 'x' })
    expect([status, body]).toEqual([502, errorOf('upstream_error')])
    expect(JSON.stringify(body)).not.toMatch(/exploded|127\.0\.0\.1|\bat \//)
  })

  test('an empty answer of the lead is a failure, never an answer', async () => {
    const own = await setting.team('parallel')
    setting.play({ lead: [broadcast('x'), { text: '' }], m1: 'A', m2: 'B', m3: 'C' })
    expect((await setting.run(own, { message: 'x' })).status).toBe(502)
  })

  test('a failing job has the reason, and no result', async () => {
    setting.play({ lead: [route('m1', 'x'), route('m2', 'x')], m1: BROKEN, m2: BROKEN })
    const job = await setting.jobEnd(await setting.enqueue(team, { message: 'x' }))
    expect(job).toMatchObject({
      status: 'failed',
      result: null,
      error: expect.stringMatching(/^Member Ben failed: /),
    })
  })
})
