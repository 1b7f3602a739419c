import { randomUUID } from 'node:crypto'
import { AgentId, checkedId, propertyOf } from '@troupe/contract'
import type { AgentDetails, AgentSummary, Version, VersionDetails } from '@troupe/contract/builder'
import type { AuditEntry, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { seedCalls } from '@troupe/test-kit/seed-calls'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let setting: RunSetting
const audit: AuditEntry[] = []
const resources = new AsyncDisposableStack()
let eva: BuilderClient
let operator: BuilderClient
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  const audited: Database = {
    ...database,
    exclusive: true,
    transaction: (work) =>
      database.transaction((tx) => {
        const append: typeof tx.write.audit.append = (entry) => {
          audit.push(entry)
          return tx.write.audit.append(entry)
        }
        return work({ ...tx, write: { ...tx.write, audit: { ...tx.write.audit, append } } })
      }),
    [Symbol.asyncDispose]: async () => {},
  }
  setting = resources.use(await startRunSetting({ overrides: { database: audited } }))
  eva = await asMember(setting.server, 'member', 'Eva')
  operator = asOperator(setting.server)
})
afterAll(() => resources.disposeAsync())
beforeEach(() => setting.model.reset())

const modelOf = () => ({ primary: { llm_config_id: setting.llmConfigId, model_id: 'scripted-1' } })

async function create(name: string, config: object = {}): Promise<AgentDetails> {
  const { status, body } = await eva.send('POST /agents', { name, config: { model: modelOf(), ...config } })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as AgentDetails
}

async function list(query: string): Promise<{ data: AgentSummary[]; total: number }> {
  const { status, body } = await eva.send(`GET /agents?${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as { data: AgentSummary[]; total: number }
}

const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name)

describe('the list of agents', () => {
  test('shows models, use, the last run, failures, cost and the last author, and no configuration', async () => {
    const { agentId } = await create('Shown', { instructions: 'SECRET SAUCE' })
    const { organizationId } = setting.server.seed
    const team = await seedTeam(setting.server.context.database, { organizationId, projectId: null })
    const [member = ''] = team.agentIds
    setting.model.script('Hello.')
    await setting.run(agentId, { message: 'Hi' })
    setting.model.script({ status: 500 }, { status: 500 })
    await setting.run(agentId, { message: 'Fail' })
    await setting.server.context.database.usage.rollUp()
    const { data, total } = await list('q=Shown')
    expect(total).toBe(1)
    expect(data[0]).toMatchObject({
      agentId,
      status: 'draft',
      versionNumber: 1,
      models: [{ llmConfigId: setting.llmConfigId, llmConfigName: 'Scripted', modelId: 'scripted-1' }],
      changedBy: { kind: 'user', name: 'Eva' },
      usedBy: [],
      runs24h: { ok: 1, failed: 1 },
      lastRunAt: expect.stringMatching(/^20/),
    })
    expect(JSON.stringify(data)).not.toContain('SECRET SAUCE')
    const [used] = (await list(`q=${member.slice(0, 13)}`)).data
    expect(used).toMatchObject({ agentId: member, usedBy: [{ kind: 'team', id: team.teamId, name: 'Desk' }] })
  })

  test('is filtered by text, project and status, sorted, and counted beyond its end', async () => {
    const mark = randomUUID().slice(0, 8)
    const first = await create(`${mark} b`)
    await create(`${mark} A`)
    await create(`${mark} 100%_`)
    expect(await namesOf(`q=${mark}&sort=name`)).toEqual([`${mark} 100%_`, `${mark} A`, `${mark} b`])
    expect(await namesOf(`q=${mark}&sort=-createdAt&limit=1&page=2`)).toEqual([`${mark} A`])
    expect(await namesOf(`q=${encodeURIComponent('%_')}`)).toEqual([`${mark} 100%_`])
    expect(await list(`q=${mark}&page=9`)).toMatchObject({ data: [], total: 3 })
    await operator.send(`PUT /agents/${first.agentId}/status`, { status: 'active' })
    expect(await namesOf(`q=${mark}&status=active`)).toEqual([`${mark} b`])
    expect(await namesOf(`q=${mark}&projectId=none&limit=1&sort=name`)).toEqual([`${mark} 100%_`])
    expect(await namesOf(`q=${mark}&projectId=${setting.server.seed.projectId}`)).toEqual([])
  })
})

describe('creating an agent', () => {
  test('with the same id again returns the first one', async () => {
    const id = randomUUID()
    const first = await eva.send('POST /agents', { id, name: 'Once' })
    const again = await eva.send('POST /agents', { id, name: 'Twice' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toMatchObject({ agentId: id, name: 'Once', versionNumber: 1 })
  })

  test.each([
    'agents',
    'teams',
    'workflows',
  ])('with a name of spaces only is refused with the message of %s', async (kind) => {
    const config = kind === 'teams' ? { mode: 'handoff', lead: { managed: {} }, members: [] } : undefined
    const { status, body } = await eva.send(`POST /${kind}`, { name: '  ', ...(config ? { config } : {}) })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'validation_error' })
    expect(JSON.stringify(body)).toContain('{"path":"name","message":"must not be blank"}')
  })

  test('with an upper-case id is audited under its stored id', async () => {
    const id = randomUUID()
    const { body } = await eva.send('POST /agents', { id: id.toUpperCase(), name: 'Capital' })
    expect(body).toMatchObject({ agentId: id })
    expect((await asOperator(setting.server).send(`GET /audit?entityId=${id}`)).body).toMatchObject({
      data: [{ action: 'agent.created' }],
    })
  })

  test('with the id of another organization’s agent is refused', async () => {
    const id = setting.server.seed.agents.otherOrganization
    expect(await eva.send('POST /agents', { id, name: 'Mine' })).toMatchObject({
      status: 409,
      body: { error: 'id_taken' },
    })
  })
})

describe('changing an agent', () => {
  test('requires the version that was read; a stale change returns the current one', async () => {
    const agent = await create('Changed')
    const target = `PUT /agents/${agent.agentId}`
    expect((await eva.send(target, { name: 'X' })).body).toMatchObject({
      errors: [{ path: 'baseVersionId', message: 'is required' }],
    })
    const { body: changed } = await eva.send(target, { name: 'Second', baseVersionId: agent.versionId })
    expect(changed).toMatchObject({ name: 'Second', versionNumber: 2 })
    const { versionId } = changed as AgentDetails
    expect(await eva.send(target, { name: 'Late', baseVersionId: agent.versionId })).toMatchObject({
      status: 409,
      body: {
        error: 'version_conflict',
        current: { number: 2, versionId, changedBy: { kind: 'user', name: 'Eva' } },
      },
    })
    expect((await operator.send(target, { name: 'Last wins' })).body).toMatchObject({ name: 'Last wins' })
  })

  test('concurrently by two users from the same version succeeds for one', async () => {
    const { agentId, versionId } = await create('Raced')
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => eva.send(`PUT /agents/${agentId}`, { name, baseVersionId: versionId })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('merges a configuration, or replaces it and removes missing keys', async () => {
    const { agentId, versionId } = await create('Merged', { metadata: { a: 'A' }, extra: 1 })
    const target = `PUT /agents/${agentId}`
    const merged = await eva.send(target, { config: { instructions: 'I' }, baseVersionId: versionId })
    expect(merged.body).toMatchObject({ config: { instructions: 'I', extra: 1, metadata: { a: 'A' } } })
    const replaced = await eva.send(target, {
      config: { model: modelOf() },
      replace: true,
      baseVersionId: (merged.body as AgentDetails).versionId,
    })
    const { config } = replaced.body as AgentDetails
    expect(config).toMatchObject({ instructions: '', metadata: {}, execution: { max_steps: 20 } })
    expect(config).not.toHaveProperty('extra')
  })

  test('names every failure of the configuration, and stores nothing', async () => {
    const { agentId, versionId } = await create('Valid')
    const config = { execution: { max_steps: 0 }, instructions: 5 }
    const { status, body } = await eva.send(`PUT /agents/${agentId}`, { config, baseVersionId: versionId })
    expect(status).toBe(400)
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted()).toEqual([
      'config.execution.max_steps',
      'config.instructions',
    ])
    expect((await eva.send(`GET /agents/${agentId}`)).body).toMatchObject({ versionId })
  })
})

describe('the status of an agent', () => {
  test('moves between draft, active and archived, without a version', async () => {
    const { agentId } = await create('Moved')
    const set = (status: string) => eva.send(`PUT /agents/${agentId}/status`, { status })
    expect((await set('active')).body).toMatchObject({ status: 'active', versionNumber: 1 })
    expect((await set('archived')).body).toMatchObject({ status: 'archived' })
    expect(await set('active')).toMatchObject({ status: 409, body: { error: 'invalid_state' } })
    expect((await set('draft')).body).toMatchObject({ status: 'draft', versionNumber: 1 })
  })

  test('does not become archived while a team names the agent', async () => {
    const { organizationId } = setting.server.seed
    const team = await seedTeam(setting.server.context.database, {
      organizationId,
      projectId: null,
      name: 'Bureau',
    })
    expect(await eva.send(`PUT /agents/${team.agentIds[0]}/status`, { status: 'archived' })).toMatchObject({
      status: 409,
      body: { error: 'agent_in_use', message: 'The agent belongs to the team "Bureau".' },
    })
  })
})

describe('an agent in use', () => {
  const archive = (agentId: string) => eva.send(`PUT /agents/${agentId}/status`, { status: 'archived' })

  /** The problems of a bundle that archives the agent and changes nothing else. */
  async function faultsOfArchiving(agentId: string): Promise<unknown[]> {
    const exported = await operator.send(`GET /bundle?include=agent:${agentId}`)
    const text = String(exported.body).replace(/status: (draft|active)/, 'status: archived')
    expect(text).toContain('status: archived')
    const { body } = await operator.send('POST /bundle/plan', { text })
    return (propertyOf(body, 'errors') as object[]).map((one) => propertyOf(one, 'message'))
  }

  test('as a tool is not archived until its users are changed', async () => {
    const called = await create('Called')
    const caller = await create('Caller', {
      tools: [{ type: 'agent', name: 'ask_called', agent_id: called.agentId.toUpperCase() }],
    })
    const shown = await eva.send(`GET /agents/${called.agentId}`)
    expect(shown.body).toMatchObject({ usedBy: [{ kind: 'agent', id: caller.agentId, name: 'Caller' }] })
    expect(await archive(called.agentId)).toMatchObject({
      status: 409,
      body: { error: 'agent_in_use', message: 'The agent is a tool of the agent "Caller".' },
    })
    expect(await faultsOfArchiving(called.agentId)).toEqual([
      'must not be archived: the agent is a tool of the agent "Caller"',
    ])
    expect((await archive(caller.agentId)).status).toBe(200)
    expect(await faultsOfArchiving(called.agentId)).toEqual([])
    expect((await archive(called.agentId)).status).toBe(200)
  })

  test('as the voice of a number is not archived', async () => {
    const { agentId } = await create('Operator')
    const { context, seed } = setting.server
    await seedCalls(context.database, {
      organizationId: seed.organizationId,
      projectId: null,
      agentId: checkedId(AgentId, agentId),
    })
    expect(await archive(agentId)).toMatchObject({
      status: 409,
      body: { error: 'agent_in_use', message: 'The agent is used by the phone number "+442079460100".' },
    })
    expect(await faultsOfArchiving(agentId)).toEqual([
      'must not be archived: the agent is used by the phone number "+442079460100"',
    ])
  })
})

describe('versions of an agent', () => {
  test('are listed, read, labelled and restored as a new version', async () => {
    const first = await create('V1', { instructions: 'one', extra: true })
    const { agentId } = first
    const second = await eva.send(`PUT /agents/${agentId}`, {
      name: 'V2',
      config: { model: modelOf(), instructions: 'two' },
      replace: true,
      baseVersionId: first.versionId,
    })
    const described = await eva.send(`PUT /agents/${agentId}/versions/${first.versionId}`, { label: 'Good' })
    expect(described.body).toMatchObject({ number: 1, label: 'Good', note: null, current: false })
    await eva.send(`PUT /agents/${agentId}/versions/${first.versionId}`, { label: 'Good' })
    const labelled = await asOperator(setting.server).send(
      `GET /audit?entityId=${agentId}&action=agent_version.described`,
    )
    expect((labelled.body as { data: unknown[] }).data).toHaveLength(1)
    const versions = (await eva.send(`GET /agents/${agentId}/versions`)).body as {
      data: Version[]
      total: number
    }
    expect(versions.total).toBe(2)
    expect(versions.data.map(({ number, label, current }) => [number, label, current])).toEqual([
      [2, null, true],
      [1, 'Good', false],
    ])
    const read = (await eva.send(`GET /agents/${agentId}/versions/${first.versionId}`)).body as VersionDetails
    expect(read).toMatchObject({
      name: 'V1',
      createdBy: { name: 'Eva' },
      config: { instructions: 'one', extra: true },
    })
    const target = `POST /agents/${agentId}/versions/${first.versionId}/restore`
    expect(await eva.send(target, { baseVersionId: first.versionId })).toMatchObject({ status: 409 })
    const { versionId } = second.body as AgentDetails
    expect((await eva.send(target, { baseVersionId: versionId })).body).toMatchObject({
      name: 'V1',
      versionNumber: 3,
      config: { instructions: 'one', extra: true },
    })
  })

  test('of another agent are not found below this one', async () => {
    const [one, other] = [await create('One'), await create('Other')]
    const target = `/agents/${one.agentId}/versions/${other.versionId}`
    for (const call of [`GET ${target}`, `PUT ${target}`, `POST ${target}/restore`]) {
      const body = call.startsWith('GET') ? undefined : { baseVersionId: one.versionId }
      expect((await eva.send(call, body)).body).toMatchObject({ error: 'version_not_found' })
    }
  })
})

test('a copy of an agent is a draft with its configuration', async () => {
  const { agentId, projectId } = await create('Original', { instructions: 'Do it.' })
  const { status, body } = await eva.send(`POST /agents/${agentId}/duplicate`)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Original (copy)',
    status: 'draft',
    projectId,
    versionNumber: 1,
    config: { instructions: 'Do it.' },
  })
})

test('every change is in the audit log with its author', async () => {
  const { agentId, versionId } = await create('Audited')
  await eva.send(`PUT /agents/${agentId}`, { name: 'Renamed', baseVersionId: versionId })
  await eva.send(`PUT /agents/${agentId}/status`, { status: 'active' })
  await eva.send(`PUT /agents/${agentId}/versions/${versionId}`, { note: 'N' })
  const rows = audit.filter(({ entityId }) => entityId === agentId)
  expect(rows.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['agent.created', 'user'],
    ['agent.updated', 'user'],
    ['agent.status_changed', 'user'],
    ['agent_version.described', 'user'],
  ])
})
