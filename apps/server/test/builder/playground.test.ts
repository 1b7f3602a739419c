import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import type { VersionDetails } from '@troupe/contract/builder'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { conversation, type RunSetting } from '../runs/model-agent.ts'
import type { BuilderClient } from './builder-caller.ts'
import { type PlaygroundSetting, startPlayground } from './playground-setting.ts'

let playground: PlaygroundSetting
let setting: RunSetting
let eva: BuilderClient
beforeAll(async () => {
  playground = await startPlayground()
  ;({ setting, eva } = playground)
})
afterAll(() => playground[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const model = () => playground.model()
const agentOf: PlaygroundSetting['agentOf'] = (config) => playground.agentOf(config)
const teamOf: PlaygroundSetting['teamOf'] = (config) => playground.teamOf(config)
const play: PlaygroundSetting['play'] = (path, body) => playground.play(path, body)
const read: PlaygroundSetting['read'] = (target, body) => playground.read(target, body)

/** The run that the model is answering; it starts in the background. */
async function runUnderWay(): Promise<string> {
  await vi.waitFor(() => expect(setting.model.requests).toHaveLength(1))
  return setting.server.context.runs.active.runIds()[0] ?? ''
}

describe('the playground of an agent', () => {
  test('runs an unsaved draft with every event, stores the draft, and leaves the agent unchanged', async () => {
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

  test('stores equal drafts once, and runs a named version unchanged', async () => {
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

  test('has its own sessions, which the public API does not list', async () => {
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

  test('refuses an unsavable draft with every error, and runs nothing', async () => {
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

  test('can be re-read from any event, and stops on request', async () => {
    const { agentId } = await agentOf()
    const target = `/agents/${agentId}/playground`
    const events = await play(`/agents/${agentId}`, { message: 'Hi' })
    const runId = events[0]?.runId ?? ''
    const rest = await read(`GET ${target}/${runId}/stream?last_event_id=1`)
    await rest.ended
    expect(rest.events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).filter((seq) => seq > 1))
    expect((await eva.send(`DELETE ${target}/${runId}`)).body).toMatchObject({ cancelled: false })
    setting.model.reset()
    setting.model.script({ hang: 'stream', text: 'x' })
    const hanging = await read(`POST ${target}`, { message: 'Wait' })
    const started = await runUnderWay()
    expect((await eva.send(`DELETE ${target}/${started}`)).body).toMatchObject({ cancelled: true })
    await hanging.ended
    expect(hanging.events.at(-1)).toMatchObject({ event: 'RunCancelled' })
  })
})

test('the conversation of a playground run is found by one of its runs', async () => {
  const { agentId } = await agentOf()
  setting.model.script('First answer.', 'Second answer.')
  const [first] = await play(`/agents/${agentId}`, { message: 'First' })
  const sessionId = String(propertyOf(first, 'sessionId'))
  const [second] = await play(`/agents/${agentId}`, { message: 'Second', session_id: sessionId })
  const run = (await eva.send(`GET /runs/${second?.runId}`)).body
  expect(run).toMatchObject({
    source: 'playground',
    entity: { id: agentId },
    sessionId,
    startedBy: { kind: 'user', name: 'Eva' },
    agentRun: { input: 'Second', content: 'Second answer.' },
  })
  const { body } = await eva.send(`GET /sessions?entityId=${agentId}&sessionId=${sessionId}&limit=1`)
  const [session] = propertyOf(body, 'data') as { id: string }[]
  expect((await eva.send(`GET /sessions/${session?.id}?limit=20`)).body).toMatchObject({
    turns: [
      { run: { runId: second?.runId }, input: 'Second', content: 'Second answer.' },
      { run: { runId: first?.runId }, input: 'First', content: 'First answer.' },
    ],
  })
})

describe('runs of the playground and runs of callers', () => {
  test('are counted separately: versions count the runs of callers only', async () => {
    const { agentId, versionId } = await agentOf()
    setting.model.script('Hello.')
    await setting.run(agentId, { message: 'Hi' })
    await eva.send(`PUT /agents/${agentId}`, { description: 'Second', baseVersionId: versionId })
    setting.model.script({ status: 500 }, { status: 500 })
    await setting.run(agentId, { message: 'Fail' })
    setting.model.script('Tried.')
    await play(`/agents/${agentId}`, { message: 'Try' })
    const { body } = await eva.send(`GET /agents/${agentId}/versions`)
    expect(body).toMatchObject({
      data: [
        { number: 2, runs: { ok: 0, failed: 1 } },
        { number: 1, runs: { ok: 1, failed: 0 } },
      ],
    })
  })

  test('are repeated in the playground, with their draft', async () => {
    const { agentId } = await agentOf({ instructions: 'Saved.' })
    setting.model.script('First.', 'Second.')
    const draft = { config: { model: model(), instructions: 'Drafted.' } }
    const [first] = await play(`/agents/${agentId}`, { message: 'Again', draft })
    const again = await eva.send(`POST /runs/${first?.runId}/rerun`)
    expect(again).toMatchObject({ status: 202, body: { kind: 'agent' } })
    const shown = async () => (await eva.send(`GET /runs/${propertyOf(again.body, 'runId')}`)).body
    await expect.poll(async () => propertyOf(await shown(), 'status')).toBe('completed')
    expect(await shown()).toMatchObject({
      source: 'playground',
      versionNumber: null,
      startedBy: { kind: 'user', name: 'Eva' },
      agentRun: { input: 'Again', content: 'Second.' },
    })
    expect(conversation(setting.model.requests[1])).toEqual(['system: Drafted.', 'user: Again'])
    expect((await setting.server.call('GET /api/v1/sessions')).body).not.toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ agentId })]),
    })
  })

  test('are not failures on Home', async () => {
    const agent = await agentOf()
    setting.model.respond(() => ({ status: 500 }))
    const events = await play(`/agents/${agent.agentId}`, { message: 'Fail' })
    expect(events.at(-1)).toMatchObject({ event: 'RunError' })
    const { body } = await eva.send('GET /home')
    expect(JSON.stringify(propertyOf(body, 'failures'))).not.toContain(agent.agentId)
  })

  test('are neither followed nor cancelled by each other’s routes', async () => {
    const { agentId } = await agentOf()
    const { server } = setting
    const publicPath = `/api/v1/agents/${agentId}/runs`
    setting.model.script({ hang: 'stream', text: 'x' })
    const trial = await read(`POST /agents/${agentId}/playground`, { message: 'Secret' })
    const trialId = await runUnderWay()
    expect((await server.call(`GET ${publicPath}/${trialId}/stream`)).body).toMatchObject({
      error: 'run_not_found',
    })
    expect(await server.call(`DELETE ${publicPath}/${trialId}`)).toMatchObject({
      status: 404,
      body: { error: 'run_not_found' },
    })
    expect((await eva.send(`POST /runs/${trialId}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    await trial.ended
    setting.model.reset()
    const job = await server.call(`POST /api/v1/agents/${agentId}/run-async`, { body: { message: 'Hi' } })
    const jobId = String(propertyOf(job.body, 'jobId'))
    await expect
      .poll(async () => propertyOf((await eva.send(`GET /runs/${jobId}`)).body, 'status'))
      .toBe('completed')
    const target = `/agents/${agentId}/playground/${jobId}`
    expect((await eva.send(`DELETE ${target}`)).status).toBe(404)
    expect((await eva.send(`GET ${target}/stream`)).status).toBe(404)
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

test('runs, sessions and drafts of the playground are deleted after seven days, and nothing else', async () => {
  const { agentId } = await agentOf()
  const { database } = setting.server.context
  await setting.run(agentId, { message: 'Stays' })
  const events = await play(`/agents/${agentId}`, { message: 'Goes', draft: { config: { model: model() } } })
  const runId = events[0]?.runId ?? ''
  await database.drafts.sweep(new Date(Date.now() - 60_000))
  const kept = await read(`GET /agents/${agentId}/playground/${runId}/stream`)
  await kept.ended
  expect(kept.status).toBe(200)
  await database.drafts.sweep(new Date(Date.now() + 60_000))
  expect((await eva.send(`GET /agents/${agentId}/playground/${runId}/stream`)).status).toBe(404)
  expect((await eva.send(`GET /agents/${agentId}/versions`)).body).toMatchObject({ total: 1 })
  const { body } = await setting.server.call(`GET /api/v1/sessions?agent_id=${agentId}`)
  expect(body).toMatchObject({ total: 1 })
})
