import { checkedId, propertyOf, SessionRowId } from '@troupe/contract'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let cookie: string
beforeAll(async () => {
  server = await startTestServer()
  const { context, seed } = server
  const { organizationId } = seed
  cookie = await signIn(server, await seedPerson(context.database, { organizationId, role: 'owner' }))
})
afterAll(() => server[Symbol.asyncDispose]())

const QUESTION = 'QUESTION [[tool: calculator {"expression":"20 + 3"}]] [[reply: ANSWER]]'
const TOOLS = [{ type: 'builtin', name: 'calculator', builtin: 'calculator' }]

async function read(path: string) {
  const answer = await server.call(`GET /api/builder/v1/organizations/${server.seed.organizationId}${path}`, {
    key: null,
    headers: { cookie, origin: ownOrigin(server) },
  })
  return { status: answer.status, body: answer.body, text: JSON.stringify(answer.body) }
}

async function newAgent(privacy: object): Promise<string> {
  const body = { name: 'Private', config: { tools: TOOLS, privacy } }
  return String(propertyOf((await server.call('POST /api/v1/agents', { body })).body, 'agentId'))
}

/** A run with a tool call, as shown to members; its caller's response is unaffected. */
async function runOf(kind: 'agents' | 'teams', id: string, session_id = 'talk') {
  const path = kind === 'agents' ? 'run' : 'run-sync'
  const answered = await server.call(`POST /api/v1/${kind}/${id}/${path}`, {
    body: { message: QUESTION, session_id },
  })
  expect(answered.body).toMatchObject({ success: true, content: expect.stringContaining('ANSWER') })
  const listed = propertyOf((await read(`/runs?entityId=${id}&limit=1`)).body, 'data') as { runId: string }[]
  return read(`/runs/${listed[0]?.runId}`)
}

const SENT = ['QUESTION', '20 + 3']
const found = (text: string, words: readonly string[]) => words.map((word) => text.includes(word))

test('a run shows its inputs and outputs', async () => {
  const { body, text } = await runOf('agents', await newAgent({}))
  expect(body).toMatchObject({ agentRun: { tracesInputs: true, tracesOutputs: true, content: 'ANSWER' } })
  expect(found(text, SENT)).toEqual([true, true])
  expect(text).toContain('"result":"23"')
})

test('without inputs in traces, messages and tool arguments are hidden', async () => {
  const { body, text } = await runOf('agents', await newAgent({ trace_inputs: false }))
  expect(body).toMatchObject({
    agentRun: {
      tracesInputs: false,
      tracesOutputs: true,
      input: null,
      content: 'ANSWER',
      calls: [{ ok: true }, {}],
    },
  })
  expect(found(text, SENT)).toEqual([false, false])
  expect(text).toContain('"result":"23"')
})

test('without outputs in traces, answers and tool results are hidden', async () => {
  const { body, text } = await runOf('agents', await newAgent({ trace_outputs: false }))
  expect(body).toMatchObject({
    agentRun: {
      tracesInputs: true,
      tracesOutputs: false,
      content: null,
      messages: [{ content: QUESTION }, {}, {}, {}],
    },
  })
  const answers = (
    propertyOf(propertyOf(body, 'agentRun'), 'messages') as { role: string; content: unknown }[]
  )
    .filter(({ role }) => role !== 'user')
    .map(({ content }) => content)
  expect(answers).toEqual([null, null, null])
  expect(text).not.toContain('"result":"23"')
})

test('one member that hides its texts hides those of its team’s whole run', async () => {
  const { organizationId } = server.seed
  const { teamId, agentIds } = await seedTeam(server.context.database, {
    ...{ organizationId, projectId: null },
    config: { mode: 'parallel' },
  })
  expect((await runOf('teams', teamId)).text).toContain('QUESTION')
  const privacy = { trace_inputs: false, trace_outputs: false }
  await server.call(`PUT /api/v1/agents/${agentIds[0]}`, { body: { config: { privacy } } })
  const { body, text } = await runOf('teams', teamId)
  expect(body).toMatchObject({
    agentRun: {
      input: null,
      content: null,
      members: [
        { input: null, content: null },
        { input: null, content: null },
      ],
    },
  })
  expect(found(text, ['QUESTION', 'ANSWER'])).toEqual([false, false])
})

test('turns of a conversation show the same as their runs', async () => {
  const agentId = await newAgent({ trace_inputs: false })
  await runOf('agents', agentId, 'private talk')
  await server.call(`PUT /api/v1/agents/${agentId}`, {
    body: { config: { privacy: { trace_outputs: false } } },
  })
  await runOf('agents', agentId, 'private talk')
  const sessions = (await read(`/sessions?entityId=${agentId}`)).body
  const [{ id } = { id: '' }] = propertyOf(sessions, 'data') as { id: string }[]
  expect((await read(`/sessions/${id}`)).body).toMatchObject({
    turns: [
      { seq: 2, input: null, content: null },
      { seq: 1, input: null, content: 'ANSWER' },
    ],
  })
})

test('the events of a run with hidden texts cannot be followed, but the run can be repeated', async () => {
  const agentId = await newAgent({ trace_outputs: false })
  const job = await server.call(`POST /api/v1/agents/${agentId}/run-async`, { body: { message: QUESTION } })
  const runId = String(propertyOf(job.body, 'jobId'))
  await expect.poll(async () => propertyOf((await read(`/runs/${runId}`)).body, 'completedAt')).not.toBeNull()
  expect(await read(`/runs/${runId}/stream`)).toMatchObject({ status: 409, body: { error: 'invalid_state' } })
  const again = await server.call(
    `POST /api/builder/v1/organizations/${server.seed.organizationId}/runs/${runId}/rerun`,
    { key: null, headers: { cookie, origin: ownOrigin(server) }, body: {} },
  )
  expect(again.status).toBe(202)
})

test('the summary of a conversation is shown only if all turns that it covers are readable', async () => {
  const agentId = await newAgent({ trace_inputs: false })
  await runOf('agents', agentId, 'summarised talk')
  await server.call(`PUT /api/v1/agents/${agentId}`, {
    body: { config: { privacy: { trace_inputs: true } } },
  })
  await runOf('agents', agentId, 'summarised talk')
  const [listed] = propertyOf((await read(`/sessions?entityId=${agentId}`)).body, 'data') as { id: string }[]
  const id = listed?.id ?? ''
  const { organizationId } = server.seed
  const summarise = (version: number, coversSeq: number) =>
    server.context.database.runs.saveSummary({
      ...{ sessionRowId: checkedId(SessionRowId, id), organizationId, projectId: null, version, coversSeq },
      ...{ text: 'They asked for a QUESTION', modelId: 'model' },
    })
  await summarise(1, 1)
  for (const page of ['', '?limit=1', '?before=1']) {
    expect((await read(`/sessions/${id}${page}`)).body, page).toMatchObject({ summary: null })
  }
  const shown = await newAgent({})
  await runOf('agents', shown, 'open talk')
  const [open] = propertyOf((await read(`/sessions?entityId=${shown}`)).body, 'data') as { id: string }[]
  const sessionRowId = checkedId(SessionRowId, open?.id ?? '')
  const written = { organizationId, projectId: null, version: 1, text: 'Open', modelId: 'model' }
  await server.context.database.runs.saveSummary({ ...written, sessionRowId, coversSeq: 1 })
  expect((await read(`/sessions/${sessionRowId}?before=1`)).body).toMatchObject({
    summary: { text: 'Open', coversSeq: 1 },
  })
})
