import { randomUUID } from 'node:crypto'
import type { AgentDetails, TeamDetails } from '@troupe/contract/builder'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { asMember, type BuilderClient } from './builder-caller.ts'

let setting: RunSetting
let eva: BuilderClient
beforeAll(async () => {
  setting = await startRunSetting()
  eva = await asMember(setting.server, 'member', 'Eva')
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const modelOf = () => ({ primary: { llm_config_id: setting.llmConfigId, model_id: 'scripted-1' } })

async function create(name: string): Promise<AgentDetails> {
  const { status, body } = await eva.send('POST /agents', { name, config: { model: modelOf() } })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as AgentDetails
}

describe('teams', () => {
  async function createTeam(name: string): Promise<TeamDetails> {
    const [a, b] = [await create('Ada'), await create('Ben')]
    const { status, body } = await eva.send('POST /teams', {
      name,
      config: {
        mode: 'handoff',
        lead: { managed: { instructions: 'Lead.', model: modelOf() } },
        members: [{ agent: a.agentId }, { agent: b.agentId }],
      },
    })
    expect([status, body]).toEqual([201, expect.anything()])
    return body as TeamDetails
  }

  test('are listed with their mode and agents, changed from a version, restored, copied and deleted', async () => {
    const team = await createTeam('Crew')
    const target = `/teams/${team.teamId}`
    const { body } = await eva.send(`GET /teams?q=${team.teamId.slice(0, 34)}`)
    expect(body).toMatchObject({
      total: 1,
      data: [
        {
          teamId: team.teamId,
          mode: 'handoff',
          agents: [
            { name: 'Ada', role: 'member' },
            { name: 'Ben', role: 'member' },
          ],
          changedBy: { name: 'Eva' },
          usedBy: [],
          lastRunAt: null,
          costUsd7d: null,
        },
      ],
    })
    const config = { toggles: { add_datetime: true } }
    const changed = await eva.send(`PUT ${target}`, { name: 'Crew 2', config, baseVersionId: team.versionId })
    expect(changed.body).toMatchObject({
      name: 'Crew 2',
      versionNumber: 2,
      config: { mode: 'handoff', ...config },
    })
    expect(await eva.send(`PUT ${target}`, { name: 'Late', baseVersionId: team.versionId })).toMatchObject({
      status: 409,
      body: { error: 'version_conflict', current: { number: 2 } },
    })
    const { versionId } = changed.body as TeamDetails
    const restore = `POST ${target}/versions/${team.versionId}/restore`
    expect((await eva.send(restore, { baseVersionId: versionId })).body).toMatchObject({
      name: 'Crew',
      versionNumber: 3,
    })
    expect((await eva.send(`GET ${target}/versions`)).body).toMatchObject({ total: 3 })
    expect((await eva.send(`POST ${target}/duplicate`, { name: 'Twin' })).body).toMatchObject({
      name: 'Twin',
      mode: 'handoff',
    })
    expect((await eva.send(`DELETE ${target}`)).status).toBe(204)
    expect((await eva.send(`GET ${target}`)).body).toMatchObject({ error: 'team_not_found' })
    expect((await eva.send(`GET ${target}/versions`)).body).toMatchObject({ error: 'team_not_found' })
  })

  test('name every agent that they cannot use', async () => {
    const stranger = setting.server.seed.agents.otherOrganization
    const { teamId, versionId } = await createTeam('Checked')
    const config = { members: [{ agent: stranger }, { agent: randomUUID() }] }
    const { body } = await eva.send(`PUT /teams/${teamId}`, { config, baseVersionId: versionId })
    expect(body).toMatchObject({
      errors: [
        { path: 'config.members.0.agent', message: 'is not an agent of this organization' },
        { path: 'config.members.1.agent', message: 'is not an agent of this organization' },
      ],
    })
  })
})
