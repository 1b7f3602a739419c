import type { AddressInfo } from 'node:net'
import { propertyOf } from '@troupe/contract'
import { readDispatchMetadata, VoiceServer } from '@troupe/contract/voice-worker'
import type { SeededCalls } from '@troupe/test-kit/seed-calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildVoiceInternal } from '../../src/voice-internal/build-voice-internal.ts'
import { type CallSetting, openCalls, refusalOf } from './call-setting.ts'

const INTERNAL_TOKEN = 'a-random-token-of-voice-workers-7f3c91'

let calls: CallSetting
let worker: VoiceServer
const resources = new AsyncDisposableStack()
beforeAll(async () => {
  calls = resources.use(await openCalls())
  const { context } = calls.server
  if (context.voice.connected === null) throw new Error('voice is not configured')
  const internal = buildVoiceInternal(context, context.voice.connected)
  resources.defer(() => internal.close())
  await internal.listen({ host: '127.0.0.1', port: 0 })
  const { port } = internal.server.address() as AddressInfo
  worker = new VoiceServer({ url: `http://127.0.0.1:${port}`, token: INTERNAL_TOKEN })
})
afterAll(() => resources.disposeAsync())

/** A call in which the callee said a word, and heard half of the answer. */
async function spokenCall(on: SeededCalls, key?: string) {
  expect((await calls.call(on, key === undefined ? {} : { key })).status).toBe(201)
  const row = await calls.session(on)
  const metadata = calls.double.room(row.roomName)?.dispatches.at(-1)?.metadata
  const job = await worker.claim({ sid: row.id, t: readDispatchMetadata(metadata ?? '')?.t ?? '' })
  if (!job) throw new Error('the job was not claimed')
  const session = worker.session(job)
  const turn = {
    ...{ turnSeq: job.nextTurnSeq, language: 'en', kind: 'message' as const },
    text: 'Hello [[reply: Good morning to you]]',
  }
  const lines = await Array.fromAsync((await session.turn(turn, AbortSignal.timeout(20_000))).lines)
  const runId = lines.flatMap((line) => (line.t === 'done' ? [line.runId] : []))[0] ?? null
  const heard = { itemId: 'i1', role: 'assistant' as const, text: 'Good', interrupted: true, runId }
  await session.storeItems([{ ...heard, metrics: {}, createdAt: Date.now() }])
  return { row, lines }
}

const messagesOf = async (sessionId: string, key?: string) => {
  const target = `GET /api/v1/sessions/${sessionId}/messages`
  return (await calls.server.call(target, key === undefined ? {} : { key })).body
}
const AS_HEARD = { total: 2, data: [{ role: 'user' }, { content: 'Good', interrupted: true }] }

test('a call of a project agent on a trunk of the organization is one conversation of the project', async () => {
  const { projectId, agents, keys, organizationId } = calls.server.seed
  const on = await calls.trunk({ projectId, agentId: agents.project, trunk: { projectId: null } })
  const { row, lines } = await spokenCall(on)
  expect(lines.at(-1)).toMatchObject({ t: 'done', success: true })
  expect(row.projectId).toBe(projectId)
  expect(await messagesOf(row.id)).toMatchObject(AS_HEARD)
  expect(await messagesOf(row.id, keys.project)).toMatchObject(AS_HEARD)
  const { body } = await calls.server.call('GET /api/v1/sessions?limit=100')
  const listed = propertyOf(body, 'data') as { sessionId: string }[]
  expect(listed.filter(({ sessionId }) => sessionId === row.id)).toHaveLength(1)
  const { database } = calls.server.context
  const { voice } = database
  await voice.sessions.end(row, {
    ...{ reason: 'participant_left', at: new Date(), roomGone: true, billingUnitS: 60 },
  })
  const today = new Date().toISOString().slice(0, 10)
  const report = await database.usage.voiceSeconds(
    { organizationId, projectId },
    { groupBy: 'agent', from: today, to: today, limit: 10 },
  )
  expect(report).toMatchObject([{ key: agents.project, seconds: 60 }])
})

test('a call on a trunk of a project takes turns of its agent, and belongs to the project', async () => {
  const { projectId, agents, keys } = calls.server.seed
  const on = await calls.trunk({ projectId, agentId: agents.project })
  const { row, lines } = await spokenCall(on, keys.project)
  expect(lines.at(-1)).toMatchObject({ t: 'done', success: true })
  expect(row.projectId).toBe(projectId)
  expect(await messagesOf(row.id, keys.project)).toMatchObject(AS_HEARD)
})

test('a number of a project trunk with an agent of the organization or another project places no call', async () => {
  const { projectId, otherProjectId, agents } = calls.server.seed
  const message = 'The agent of the phone number does not belong to the project of the trunk.'
  for (const [ofAgent, agentId] of [
    [null, agents.organization],
    [otherProjectId, agents.otherProject],
  ] as const) {
    const on = await calls.trunk({ projectId: ofAgent, agentId, trunk: { projectId } })
    expect(refusalOf(await calls.call(on))).toEqual([400, 'phone_number_missing_voice_config', message])
    expect(await calls.calls(on)).toEqual([])
  }
})
