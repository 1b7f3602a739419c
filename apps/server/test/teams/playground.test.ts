import type { AddressInfo } from 'node:net'
import type { TeamJob, TeamRunResult } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBootBundle } from '../../src/boot/boot.ts'
import { readEvents } from '../runs/event-reader.ts'
import { streamDefects } from './stream-rules.ts'

let server: TestServer
let origin: string
let key: string
/** Teams by their slug. */
const teams = new Map<string, { id: string; name: string }>()
/** Agents that lead, by the slug of their team. */
const leads = new Map<string, { agentId: string; name: string }>()
beforeAll(async () => {
  server = await startTestServer({ env: { TROUPE_PLAYGROUND: 'on' } })
  const { playground } = await applyBootBundle(server.context, {})
  key = playground?.apiKey ?? ''
  const organization = await server.context.database.read.organizations.bySlug('playground')
  if (!organization) throw new Error('no Playground')
  for (const { slug, id, name, config } of await server.context.database.read.teams.list(organization.id)) {
    teams.set(slug ?? '', { id, name })
    const agent = 'agent' in config.lead ? config.lead.agent : null
    const lead = playground?.agents.find(({ id: agentId }) => agentId === agent)
    if (lead) leads.set(slug ?? '', { agentId: lead.id, name: lead.name })
  }
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
})
afterAll(() => server[Symbol.asyncDispose]())

const QUESTIONS = [
  ['desk', 'handoff', 'I was charged twice, please refund one payment.', /billing/i],
  ['newsroom', 'dynamic-delegation', 'Find the history of the bicycle.', /bicycle/],
  ['panel', 'parallel', 'Should we move to the cloud?', /cloud/],
  ['crew', 'plan-execute', 'Find figures about solar power.', /\n\nGoal completed: yes$/],
] as const

describe.for(QUESTIONS)('the %s of the Playground', ([slug, mode, message, answer]) => {
  const path = () => `/api/v1/teams/${teams.get(slug)?.id}`

  test('answers a synchronous run', async () => {
    const { status, body } = await server.call(`POST ${path()}/run-sync`, { key, body: { message } })
    const result = body as TeamRunResult
    expect([status, result.success, result.teamName]).toEqual([200, true, teams.get(slug)?.name])
    expect(result.content).toMatch(answer)
    expect(result.metrics.inputTokens).toBeGreaterThan(0)
    expect(result.plan?.goalCompleted).toBe(mode === 'plan-execute' ? true : undefined)
  })

  test('answers a stream', async () => {
    const stream = await readEvents(`${origin}${path()}/run-stream?detail=full`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    })
    await stream.ended
    expect(streamDefects(stream.events, mode, leads.get(slug))).toEqual([])
    const last = stream.events.at(-1)
    expect(last?.event === 'RunCompleted' && last.result.content).toMatch(answer)
  })

  test('answers a job', async () => {
    const accepted = await server.call(`POST ${path()}/run-async`, { key, body: { message } })
    expect(accepted.status).toBe(202)
    const { jobId } = accepted.body as TeamJob
    const read = async () => (await server.call(`GET /api/v1/team-jobs/${jobId}`, { key })).body as TeamJob
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('completed')
    expect((await read()).result?.content).toMatch(answer)
  })
})
