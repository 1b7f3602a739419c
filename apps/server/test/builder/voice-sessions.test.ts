import { checkedId, propertyOf, VoiceSessionId } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkerSetting, type WorkerSetting } from '../voice/worker-setting.ts'
import { asMember, type BuilderClient } from './builder-caller.ts'

let setting: WorkerSetting
let viewer: BuilderClient
beforeAll(async () => {
  setting = await openWorkerSetting()
  viewer = await asMember(setting.voice.server, 'viewer')
})
afterAll(() => setting[Symbol.asyncDispose]())

interface Page {
  data: Record<string, unknown>[]
  next: string | null
}

async function list(query = ''): Promise<Page> {
  const answer = await viewer.send(`GET /voice-sessions${query}`)
  expect(answer.status).toBe(200)
  return answer.body as Page
}

const find = async (id: string) => (await list()).data.find((one) => one.voiceSessionId === id)

test('a voice session is listed with its state, and with its conversation once there is one', async () => {
  const { server } = setting.voice
  const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-7' })
  expect(await find(job.sessionId)).toMatchObject({
    kind: 'web',
    state: 'waiting',
    endedReason: null,
    agent: { id: server.seed.agents.organization, name: expect.any(String) },
    userId: 'user-7',
    to: null,
    connectedAt: null,
    endedAt: null,
    voiceMinutes: null,
    sessionId: null,
  })

  await setting.turn(job, { text: 'Say [[reply: hello]]' })
  const key = {
    organizationId: server.seed.organizationId,
    id: checkedId(VoiceSessionId, job.sessionId),
  } as const
  const { sessions } = server.context.database.voice
  const joinedAt = new Date(setting.voice.clock.now())
  await sessions.joined(key, joinedAt)
  const at = new Date(joinedAt.getTime() + 90_000)
  await sessions.end(key, { reason: 'participant_left', at, billingUnitS: 60 })
  const ended = await find(job.sessionId)
  expect(ended).toMatchObject({
    state: 'completed',
    endedReason: 'participant_left',
    connectedAt: joinedAt.toISOString(),
    endedAt: at.toISOString(),
    voiceMinutes: 1.5,
  })
  const conversation = await viewer.send(`GET /sessions/${ended?.sessionId}`)
  expect(conversation.body).toMatchObject({ sessionId: job.sessionId, turns: [{ content: 'hello' }] })
})

test('usage has the minutes of ended sessions, in its totals, by day and by provider', async () => {
  const { agents } = setting.voice.server.seed
  const usage = async (query: string) => (await viewer.send(`GET /usage?${query}`)).body
  const ofAgents = await usage('groupBy=agent&daily=true')
  expect(ofAgents).toMatchObject({
    totals: { voiceMinutes: 1.5 },
    previous: { voiceMinutes: 0 },
    data: [{ key: agents.organization, runs: 1, voiceMinutes: 1.5 }],
    days: [{ key: agents.organization, voiceMinutes: 1.5 }],
  })
  expect(await usage('groupBy=user')).toMatchObject({ data: [{ key: 'user-7', voiceMinutes: 1.5 }] })
  expect(await usage('groupBy=apiKey')).toMatchObject({ data: [{ voiceMinutes: 1.5 }] })
  expect(await usage('groupBy=day')).toMatchObject({ data: [{ voiceMinutes: 1.5 }], days: [] })
  // No model was called: the minutes are in the row without a group.
  expect(await usage('groupBy=model&daily=true')).toMatchObject({
    totals: { voiceMinutes: 1.5 },
    data: [{ voiceMinutes: 0 }],
    days: [{ voiceMinutes: 0 }, { key: null, calls: 0, voiceMinutes: 1.5 }],
  })
})

test('pages continue after the last session, and filter by agent, state and project', async () => {
  const { agents, projectId } = setting.voice.server.seed
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    setting.voice.clock.advance(1_000)
    ids.push(await setting.started())
  }
  const first = await list('?limit=2')
  expect(first.data.map(({ voiceSessionId }) => voiceSessionId)).toEqual([ids[2], ids[1]])
  const second = await list(`?limit=2&after=${first.next}`)
  expect(second.data[0]?.voiceSessionId).toBe(ids[0])
  expect((await list(`?agentId=${agents.project}`)).data).toEqual([])
  const inFlight = (await list('?state=in_flight')).data
  expect(inFlight.map(({ voiceSessionId }) => voiceSessionId)).toEqual(ids.toReversed())
  expect((await list('?state=completed')).data.map(({ state }) => state)).toEqual(['completed'])
  expect((await list('?state=failed')).data).toEqual([])
  expect((await list(`?projectId=${projectId}`)).data).toEqual([])
  expect((await list('?projectId=none')).data.length).toBe(4)
})

test('an invalid cursor and an unknown state are refused together', async () => {
  const { status, body } = await viewer.send('GET /voice-sessions?state=over&limit=0')
  expect(status).toBe(400)
  const errors = propertyOf(body, 'errors')
  expect(Array.isArray(errors) && errors.map((error) => propertyOf(error, 'path')).toSorted()).toEqual([
    'limit',
    'state',
  ])
  const place = await viewer.send('GET /voice-sessions?after=nowhere')
  expect(place).toMatchObject({ status: 400, body: { errors: [{ path: 'after' }] } })
})

test('an unsuccessful call has its reason, with the carrier’s response', async () => {
  const job = await setting.claimed({ participantIdentity: 'busy' })
  const key = {
    organizationId: setting.voice.server.seed.organizationId,
    id: checkedId(VoiceSessionId, job.sessionId),
  } as const
  await setting.voice.server.context.database.voice.sessions.end(key, {
    ...{ reason: 'call_failed', failureReason: 'busy', sipStatusCode: 486, sipStatus: 'Busy Here' },
    ...{ failureMessage: 'The callee is busy.', at: new Date(setting.voice.clock.now()), billingUnitS: 60 },
  })
  expect(await find(job.sessionId)).toMatchObject({
    endedReason: 'call_failed',
    failureMessage: 'The callee is busy.',
    sipStatusCode: 486,
  })
})
