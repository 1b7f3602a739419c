import { SESSION_TOKEN_HEADER, VOICE_ENDPOINTS, VoiceServer } from '@troupe/contract/voice-worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTERNAL_TOKEN } from './voice-setting.ts'
import { openWorkerSetting, type WorkerSetting } from './worker-setting.ts'

let setting: WorkerSetting
beforeAll(async () => {
  setting = await openWorkerSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const started = () => setting.started()
const item = (itemId: string, text: string) => ({
  itemId,
  role: 'user' as const,
  text,
  interrupted: false,
  runId: null,
  metrics: {},
  createdAt: Date.now(),
})
const job = (more: object) => ({
  sid: '01890000-0000-7000-8000-000000000000',
  attempt: 1,
  state: 'ready',
  callStatus: null,
  sipCallId: null,
  callerPresent: true,
  lastTurnAt: null,
  ...more,
})
const heartbeat = (more: object) => ({
  workerId: 'w-bounds',
  version: '1',
  capacity: 1,
  draining: false,
  jobs: [],
  exited: [],
  ...more,
})
const transcriptOf = async (sessionId: string) =>
  (await setting.voice.server.context.database.voice.turns.list(await setting.voice.session(sessionId))).map(
    ({ seq, itemId, text }) => [seq, itemId, text],
  )

describe.for(Object.entries(VOICE_ENDPOINTS))('%s', ([, endpoint]) => {
  const url = endpoint.path.replace('{sessionId}', '01890000-0000-7000-8000-000000000000')
  const headers = { 'content-type': 'application/json' }

  test('refuses a request without the bearer token of workers, or with another one', async () => {
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${INTERNAL_TOKEN}`]) {
      const response = await fetch(`${setting.url}${url}`, {
        method: endpoint.method,
        headers: { ...headers, ...(authorization && { authorization }) },
        ...(endpoint.method === 'POST' && { body: '{}' }),
      })
      await response.body?.cancel()
      expect(response.status).toBe(401)
    }
  })

  if (endpoint.needsSessionToken) {
    test('refuses the token of another session', async () => {
      const [mine, theirs] = [await setting.claimed(), await setting.claimed()]
      const body = { items: [item('a', 'b')], turnSeq: 1, text: 'x', language: 'en', kind: 'message' }
      const ended = { reason: 'agent_ended', usage: [], failoverUsed: false }
      const timings = { readyMs: 1, firstAudioMs: 1, durationMs: 1 }
      const response = await fetch(
        `${setting.url}${endpoint.path.replace('{sessionId}', theirs.sessionId)}`,
        {
          method: endpoint.method,
          headers: {
            ...headers,
            authorization: `Bearer ${INTERNAL_TOKEN}`,
            [SESSION_TOKEN_HEADER]: mine.sessionToken,
          },
          ...(endpoint.body && { body: JSON.stringify({ ...body, ...ended, timings }) }),
        },
      )
      expect(response.status).toBe(401)
      await response.body?.cancel()
    })
  }
})

// Each of them was a 500: above the range of the column, or not a valid time.
test('an integer that is too large is 400 and its field is named', async () => {
  const claimed = await setting.claimed()
  const timings = { readyMs: 1, firstAudioMs: 1, durationMs: 2 ** 31 }
  const sent: [keyof typeof VOICE_ENDPOINTS, string, object][] = [
    ['workerHeartbeat', 'capacity', heartbeat({ capacity: 2 ** 31 })],
    ['workerHeartbeat', 'jobs.0.attempt', heartbeat({ jobs: [job({ attempt: 2 ** 31 })] })],
    ['workerHeartbeat', 'jobs.0.lastTurnAt', heartbeat({ jobs: [job({ lastTurnAt: 9e15 })] })],
    ['storeItems', 'items.0.createdAt', { items: [{ ...item('a', 'b'), createdAt: 9e15 }] }],
    [
      'storeItems',
      'items.0.metrics.e2eLatency',
      { items: [{ ...item('a', 'b'), metrics: { e2eLatency: 2 ** 31 } }] },
    ],
    ['endSession', 'timings.durationMs', { ...endOf('agent_ended'), timings }],
  ]
  for (const [name, path, body] of sent) {
    const endpoint = VOICE_ENDPOINTS[name]
    const response = await fetch(`${setting.url}${endpoint.path.replace('{sessionId}', claimed.sessionId)}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${INTERNAL_TOKEN}`,
        [SESSION_TOKEN_HEADER]: claimed.sessionToken,
      },
      body: JSON.stringify(body),
    })
    expect(await response.json(), path).toMatchObject({ error: 'validation_error', errors: [{ path }] })
    expect(response.status).toBe(400)
  }
  await setting.worker.session(claimed).end(endOf('agent_ended'))
})

test('the internal endpoints are not routes of the public listener', async () => {
  const { status } = await setting.voice.server.call('POST /internal/voice/workers/heartbeat', { body: {} })
  expect(status).toBe(404)
})

test('a job is claimed once; later claims are refused as used, or as over after its end', async () => {
  const sid = await started()
  const t = setting.jobToken(sid)
  const job = await setting.worker.claim({ sid, t })
  expect(job).toMatchObject({
    sessionId: sid,
    kind: 'web',
    participantIdentity: 'caller',
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    transcript: [],
    answered: false,
    leaseUntil: null,
    stt: [{ provider: 'local-pocketsphinx', apiKey: null }],
    tts: [{ provider: 'local-flite', speed: 1 }],
    settings: { greeting: { mode: 'speak' }, language: 'en' },
  })
  expect(await setting.worker.claim({ sid, t })).toBeNull()
  if (job) await setting.worker.session(job).end(endOf('agent_ended'))
  expect(await setting.worker.claim({ sid, t })).toBeNull()
  expect(await setting.worker.mayAccept(sid, 'worker-1')).toBe(false)
})

test('the session token is stored as a hash only', async () => {
  const job = await setting.claimed()
  const session = await setting.voice.session(job.sessionId)
  expect(session.sessionTokenHash).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(session)).not.toContain(job.sessionToken)
})

test('accepting stores the worker, and becoming ready stores the agent', async () => {
  const sid = await started()
  expect(await setting.worker.mayAccept(sid, 'worker-9')).toBe(true)
  expect((await setting.voice.session(sid)).workerId).toBe('worker-9')
  const job = await setting.worker.claim({ sid, t: setting.jobToken(sid) })
  if (!job) throw new Error('not claimed')
  await setting.worker.session(job).ready()
  expect((await setting.voice.session(sid)).agentReadyAt).not.toBeNull()
})

test('items are stored in order, and once even if they are resent', async () => {
  const job = await setting.claimed()
  const session = setting.worker.session(job)
  await session.storeItems([item('a', 'hello'), item('b', 'there')])
  await session.storeItems([item('b', 'there you'), item('c', 'are')])
  expect(await transcriptOf(job.sessionId)).toEqual([
    [1, 'a', 'hello'],
    [2, 'b', 'there you'],
    [4, 'c', 'are'],
  ])
})

test('the response to a heartbeat lists the ended sessions of the worker', async () => {
  const job = await setting.claimed()
  const over = await setting.claimed()
  await setting.worker.mayAccept(job.sessionId, 'worker-2')
  await setting.worker.session(over).end(endOf('agent_ended'))
  const jobs = [job, over].map(({ sessionId: sid }) => ({
    sid,
    attempt: 1,
    state: 'ready' as const,
    callStatus: null,
    sipCallId: null,
    callerPresent: false,
    lastTurnAt: null,
  }))
  const beat = { workerId: 'worker-1', version: '1', capacity: 20, draining: false, exited: [] }
  expect(await setting.worker.heartbeat({ ...beat, jobs })).toContain(over.sessionId)
})

test('a session whose webhooks are lost becomes active once its worker sees the caller, and continues', async () => {
  const sid = await started()
  await setting.worker.mayAccept(sid, 'worker-9')
  const seen = {
    sid,
    attempt: 1,
    state: 'ready' as const,
    callStatus: null,
    sipCallId: null,
    lastTurnAt: null,
  }
  const beat = { workerId: 'worker-9', version: '1', capacity: 20, draining: false, exited: [] }
  await setting.worker.heartbeat({ ...beat, jobs: [{ ...seen, callerPresent: false }] })
  expect(await setting.voice.session(sid)).toMatchObject({ sessionState: 'waiting', joinedAt: null })
  await setting.worker.heartbeat({ ...beat, jobs: [{ ...seen, callerPresent: true }] })
  expect(await setting.voice.session(sid)).toMatchObject({ sessionState: 'active', phaseDeadline: null })
})

test('the session of a crashed child passes to another worker, with a new token', async () => {
  const sid = await started()
  await setting.worker.mayAccept(sid, 'worker-3')
  const t = setting.jobToken(sid)
  const job = await setting.worker.claim({ sid, t })
  if (!job) throw new Error('not claimed')
  await setting.worker.session(job).storeItems([item('a', 'so far')])
  const beat = { workerId: 'worker-3', version: '1', capacity: 20, draining: false, jobs: [] }
  await setting.worker.heartbeat({ ...beat, exited: [{ sid, attempt: 1 }] })
  expect(setting.jobToken(sid)).not.toBe(t)
  await expect(setting.worker.session(job).ready()).rejects.toMatchObject({ status: 401 })
  const next = await setting.worker.claim({ sid, t: setting.jobToken(sid) })
  expect(next?.transcript).toEqual([{ role: 'user', text: 'so far', interrupted: false }])
  expect(next?.nextTurnSeq).toBeGreaterThan(job.nextTurnSeq)
})

test('a replaced child that exits late takes nothing from its successor on the same worker', async () => {
  const sid = await started()
  await setting.worker.mayAccept(sid, 'worker-3')
  const beat = { workerId: 'worker-3', version: '1', capacity: 20, draining: false, jobs: [] }
  await setting.worker.heartbeat({ ...beat, exited: [{ sid, attempt: 1 }] })
  await setting.worker.mayAccept(sid, 'worker-3')
  const next = await setting.worker.claim({ sid, t: setting.jobToken(sid) })
  if (!next) throw new Error('not claimed')
  await setting.worker.heartbeat({ ...beat, exited: [{ sid, attempt: 1 }] })
  expect(await setting.voice.session(sid)).toMatchObject({ dispatchAttempt: 2, unready: 1 })
  await setting.worker.session(next).ready()
})

test('a draining worker hands over its session, and the room remains', async () => {
  const job = await setting.claimed()
  const t = setting.jobToken(job.sessionId)
  await setting.worker.session(job).end(endOf('worker_draining'))
  expect(setting.jobToken(job.sessionId)).not.toBe(t)
  expect((await setting.voice.session(job.sessionId)).sessionState).toBe('waiting')
})

test('the end of a session is stored with its usage, and deletes the room', async () => {
  const job = await setting.claimed()
  const usage = [
    { kind: 'tts' as const, provider: 'local-flite', model: null, characters: 40, audioMs: 2_000 },
  ]
  await setting.worker.session(job).end({ ...endOf('inactivity'), usage, failoverUsed: true })
  const session = await setting.voice.session(job.sessionId)
  expect(session).toMatchObject({ sessionState: 'completed', endedReason: 'inactivity', failoverUsed: true })
  expect(session.usage).toMatchObject({ speech: usage })
  expect(setting.voice.double.room(session.roomName)).toBeUndefined()
})

test('the events of a session end with it', async () => {
  const job = await setting.claimed()
  const events = setting.worker.session(job).events(AbortSignal.timeout(20_000))
  const all = Array.fromAsync(events)
  await setting.worker.session(job).end(endOf('agent_ended'))
  expect(await all).toEqual([{ event: 'end', reason: 'agent_ended' }])
})

test('a session in the browser has no lease', async () => {
  const job = await setting.claimed()
  expect(await setting.worker.session(job).extendLease()).toEqual({ leaseUntil: null, granted: true })
})

test('the latencies of items are metrics', async () => {
  const job = await setting.claimed()
  await setting.worker
    .session(job)
    .storeItems([{ ...item('m', 'x'), role: 'assistant', metrics: { e2eLatency: 640 } }])
  const text = await setting.voice.server.context.metrics.registry.metrics()
  expect(text).toContain('troupe_voice_turn_latency_seconds_count{part="end_to_end"}')
})

test('a worker with a wrong token gets an error message that names the token', async () => {
  const stranger = new VoiceServer({ url: setting.url, token: 'wrong' })
  await expect(stranger.claim({ sid: await started(), t: 'x' })).rejects.toMatchObject({ status: 401 })
})

function endOf(reason: 'agent_ended' | 'inactivity' | 'worker_draining') {
  return { reason, usage: [], failoverUsed: false, timings: { readyMs: 1, firstAudioMs: 2, durationMs: 3 } }
}
