import { randomUUID } from 'node:crypto'
import type { AgentDetails, TeamDetails, VersionDetails } from '@troupe/builder-contract'
import type { StreamEvent } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { conversation, type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { asMember, type BuilderClient } from './builder-caller.ts'

let setting: RunSetting
let eva: BuilderClient
beforeAll(async () => {
  setting = await startRunSetting()
  eva = await asMember(setting.server, 'member', 'Eva')
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const model = () => ({ primary: { llm_config_id: setting.llmConfigId, model_id: 'scripted-1' } })

async function agentOf(config: object = {}): Promise<AgentDetails> {
  const { status, body } = await eva.send('POST /agents', {
    name: 'Ada',
    config: { model: model(), ...config },
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as AgentDetails
}

async function teamOf(config: object = {}): Promise<TeamDetails> {
  const [a, b] = [await agentOf(), await agentOf()]
  const { status, body } = await eva.send('POST /teams', {
    name: 'Crew',
    config: {
      mode: 'handoff',
      lead: { managed: { instructions: 'Lead.', model: model() } },
      members: [{ agent: a.agentId }, { agent: b.agentId }],
      ...config,
    },
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as TeamDetails
}

const eventsOf = (body: unknown): StreamEvent[] =>
  [...String(body).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as StreamEvent)

async function play(path: string, body: object): Promise<StreamEvent[]> {
  const answer = await eva.send(`POST ${path}/playground`, body)
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return eventsOf(answer.body)
}

/** The run that the model is answering; it starts in the background. */
async function runUnderWay(): Promise<string> {
  await vi.waitFor(() => expect(setting.model.requests).toHaveLength(1))
  return setting.server.context.runs.active.runIds()[0] ?? ''
}

describe('the playground of an agent', () => {
  test('runs an unsaved draft with every event, stores what ran, and leaves the agent as it is', async () => {
    const { agentId, versionId } = await agentOf({ instructions: 'Saved.' })
    const draft = { name: 'Tried', config: { model: model(), instructions: 'Drafted.' } }
    const events = await play(`/agents/${agentId}`, { message: 'Hi', draft })
    expect(events.map(({ event }) => event)).toContain('ModelRequestStarted')
    expect(events[0]).toMatchObject({ event: 'RunStarted', agentName: 'Tried' })
    expect(events.at(-1)).toMatchObject({ event: 'RunCompleted' })
    expect(conversation(setting.model.requests[0])).toEqual(['system: Drafted.', 'user: Hi'])
    expect((await eva.send(`GET /agents/${agentId}`)).body).toMatchObject({
      versionId,
      versionNumber: 1,
      lastRunAt: null,
    })
    expect((await eva.send(`GET /agents/${agentId}/versions`)).body).toMatchObject({ total: 1 })
  })

  test('stores equal drafts once, and a named version is run as it was', async () => {
    const agent = await agentOf({ instructions: 'One.' })
    const target = `/agents/${agent.agentId}`
    const kept = new Set<string>()
    const { drafts } = setting.server.context.database
    const keep = drafts.keep
    drafts.keep = async (...given) => {
      const id = await keep(...given)
      kept.add(id)
      return id
    }
    try {
      const draft = { config: { model: model(), instructions: 'Two.' } }
      await play(target, { message: 'a', draft })
      await play(target, { message: 'b', draft })
    } finally {
      drafts.keep = keep
    }
    expect(kept.size).toBe(1)
    const [draftId = ''] = kept
    const stored = (await eva.send(`GET ${target}/versions/${draftId}`)).body as VersionDetails
    expect(stored).toMatchObject({
      number: null,
      createdBy: { name: 'Eva' },
      config: { instructions: 'Two.' },
    })
    await eva.send(`PUT ${target}`, { config: { instructions: 'Three.' }, baseVersionId: agent.versionId })
    setting.model.reset()
    await play(target, { message: 'c', versionId: agent.versionId })
    await play(target, { message: 'd', versionId: draftId })
    await play(target, { message: 'e' })
    expect(setting.model.requests.map((request) => conversation(request)[0])).toEqual([
      'system: One.',
      'system: Two.',
      'system: Three.',
    ])
  })

  test('has sessions of its own, which the public API does not list', async () => {
    const { agentId } = await agentOf()
    const session_id = randomUUID()
    await setting.run(agentId, { message: 'From a caller', session_id })
    await play(`/agents/${agentId}`, { message: 'First', session_id })
    setting.model.reset()
    await play(`/agents/${agentId}`, { message: 'Second', session_id })
    expect(conversation(setting.model.requests[0])).toEqual([
      'user: First',
      expect.stringMatching(/^assistant: /),
      'user: Second',
    ])
    const listed = await setting.server.call(`GET /api/v1/sessions?agent_id=${agentId}`)
    expect(listed.body).toMatchObject({ total: 1, data: [{ sessionId: session_id, runs: 1 }] })
  })

  test('refuses a draft that could not be saved, naming every failure, and runs nothing', async () => {
    const { agentId } = await agentOf()
    const draft = { config: { execution: { max_steps: 0 }, instructions: 5 } }
    const { status, body } = await eva.send(`POST /agents/${agentId}/playground`, { message: 'x', draft })
    expect(status).toBe(400)
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted()).toEqual([
      'draft.config.execution.max_steps',
      'draft.config.instructions',
    ])
    const foreign = {
      config: { model: { primary: { llm_config_id: setting.server.seed.llm.otherOrganization } } },
    }
    expect(
      await eva.send(`POST /agents/${agentId}/playground`, { message: 'x', draft: foreign }),
    ).toMatchObject({
      status: 422,
      body: { error: 'llm_configuration_not_found' },
    })
    expect(setting.model.requests).toEqual([])
  })

  test('is read again from any event, and stops when it is told to', async () => {
    const { agentId } = await agentOf()
    const target = `/agents/${agentId}/playground`
    const events = await play(`/agents/${agentId}`, { message: 'Hi' })
    const runId = events[0]?.runId ?? ''
    const rest = eventsOf((await eva.send(`GET ${target}/${runId}/stream?last_event_id=1`)).body)
    expect(rest.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).filter((seq) => seq > 1))
    expect((await eva.send(`DELETE ${target}/${runId}`)).body).toMatchObject({ cancelled: false })
    setting.model.reset()
    setting.model.script({ hang: 'stream', text: 'x' })
    const hanging = eva.send(`POST ${target}`, { message: 'Wait' })
    const started = await runUnderWay()
    expect((await eva.send(`DELETE ${target}/${started}`)).body).toMatchObject({ cancelled: true })
    expect(eventsOf((await hanging).body).at(-1)).toMatchObject({ event: 'RunCancelled' })
  })
})

describe('the playground of a team', () => {
  test('runs an unsaved draft with its members', async () => {
    const team = await teamOf()
    const config = structuredClone(team.config) as unknown as Record<string, unknown>
    const draft = { config: { ...config, lead: { managed: { instructions: 'DRAFTED', model: model() } } } }
    setting.model.script(
      { toolCalls: [{ name: 'route', arguments: { member: 'm2', task: 'T' } }] },
      'From m2.',
    )
    const events = await play(`/teams/${team.teamId}`, { message: 'Hi', draft })
    expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: 'From m2.' } })
    expect(conversation(setting.model.requests[0])[0]).toContain('DRAFTED')
    expect((await eva.send(`GET /teams/${team.teamId}`)).body).toMatchObject({ versionId: team.versionId })
  })
})

test('runs, sessions and drafts of the playground are gone after seven days, and nothing else', async () => {
  const { agentId } = await agentOf()
  const { database } = setting.server.context
  await setting.run(agentId, { message: 'Stays' })
  const events = await play(`/agents/${agentId}`, { message: 'Goes', draft: { config: { model: model() } } })
  const runId = events[0]?.runId ?? ''
  await database.drafts.sweep(new Date(Date.now() - 60_000))
  expect((await eva.send(`GET /agents/${agentId}/playground/${runId}/stream`)).status).toBe(200)
  await database.drafts.sweep(new Date(Date.now() + 60_000))
  expect((await eva.send(`GET /agents/${agentId}/playground/${runId}/stream`)).status).toBe(404)
  expect((await eva.send(`GET /agents/${agentId}/versions`)).body).toMatchObject({ total: 1 })
  const { body } = await setting.server.call(`GET /api/v1/sessions?agent_id=${agentId}`)
  expect(body).toMatchObject({ total: 1 })
})
