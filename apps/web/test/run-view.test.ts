import { createClient, unwrap } from '@troupe/client'
import { COORDINATION_MODES, type StreamEvent } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reduceRun } from '../src/core/runs/reduce-run.ts'
import { answerOf, NEW_RUN, runTokens } from '../src/core/runs/run-view.ts'

const PATIENCE_MS = 60_000
const MESSAGE = 'I was charged twice for my invoice.'

let server: TestServer
let baseUrl = ''
beforeAll(async () => {
  server = await startTestServer()
  baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
}, PATIENCE_MS)
afterAll(() => server?.[Symbol.asyncDispose]())

const client = () => createClient({ baseUrl, apiKey: server.seed.keys.organization })

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Invariants of every real run for its reader, wherever the connection was lost. */
function expectTold(events: readonly StreamEvent[]) {
  const whole = events.reduce(reduceRun, NEW_RUN)
  const last = events.at(-1)
  expect(last?.event).toBe('RunCompleted')
  if (last?.event !== 'RunCompleted') return whole
  const { content, metrics } = last.result
  const unended = events.slice(0, -1).reduce(reduceRun, NEW_RUN)
  expect(answerOf(unended)).toBe(content)
  expect(runTokens(whole)).toEqual({ inputTokens: metrics.inputTokens, outputTokens: metrics.outputTokens })
  for (let cut = 0; cut <= events.length; cut += 1) {
    const broken = events.slice(0, cut).reduce(reduceRun, NEW_RUN)
    expect(events.slice(Math.max(0, cut - 3)).reduce(reduceRun, broken)).toEqual(whole)
  }
  return whole
}

test.for(COORDINATION_MODES)('a real run of a team in %s matches its events', {
  timeout: PATIENCE_MS,
}, async (mode) => {
  const { organizationId } = server.seed
  // The lead of the sandbox answers itself where it may.
  const config = { mode, lead_may_answer_directly: mode !== 'dynamic-delegation' }
  const team = await seedTeam(server.context.database, { organizationId, projectId: null, config })
  const stream = await unwrap(client().teams.stream(team.teamId, { message: MESSAGE }, { detail: 'full' }))
  const run = expectTold(await eventsOf(stream))
  expect([run?.kind, run?.mode]).toEqual(['team', mode])
  expect(run?.lanes.length).toBeGreaterThan(0)
  for (const lane of run?.lanes ?? [])
    expect([lane.state, lane.task]).toEqual(['completed', expect.any(String)])
  expect(run?.plan !== null).toBe(mode === 'plan-execute')
})

test('a real run of an agent with a tool matches its events', { timeout: PATIENCE_MS }, async () => {
  const agentId = server.seed.agents.organization
  const tools = [{ type: 'builtin', builtin: 'calculator' }]
  const body = { config: { tools } }
  expect((await server.call(`PUT /api/v1/agents/${agentId}`, { body })).status).toBe(200)
  const message = 'Count [[tool: calculator {"expression": "17 * 3"}]]'
  const stream = await unwrap(client().agents.stream(agentId, { message }, { detail: 'full' }))
  const run = expectTold(await eventsOf(stream))
  expect(run?.own.steps.find(({ kind }) => kind === 'tool')).toMatchObject({
    toolName: 'calculator',
    args: { expression: '17 * 3' },
    state: 'done',
    result: expect.stringContaining('51'),
  })
})
