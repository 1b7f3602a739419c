import type { AddressInfo } from 'node:net'
import { newId, VoiceSessionId } from '@troupe/contract'
import { readDispatchMetadata, VoiceServer, type WorkerEndReason } from '@troupe/contract/voice-worker'
import { endByWorker, type VoiceSessionRecord } from '@troupe/voice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildVoiceInternal } from '../../src/voice-internal/build-voice-internal.ts'
import { type CallSetting, openCalls, refusalOf } from './call-setting.ts'

const INTERNAL_TOKEN = 'a-random-token-of-voice-workers-7f3c91'
const SIP_CALL_ID = 'SCL_seen'

let calls: CallSetting
let stopInternal: (() => Promise<unknown>) | undefined
let worker: VoiceServer
let heartbeat: (sid: string, changes?: object) => Promise<number>
beforeAll(async () => {
  calls = await openCalls()
  const { context } = calls.server
  if (context.voice.connected === null) throw new Error('voice is not configured')
  const internal = buildVoiceInternal(context, context.voice.connected)
  await internal.listen({ host: '127.0.0.1', port: 0 })
  stopInternal = () => internal.close()
  const { port } = internal.server.address() as AddressInfo
  worker = new VoiceServer({ url: `http://127.0.0.1:${port}`, token: INTERNAL_TOKEN })
  heartbeat = async (sid, changes = {}) => {
    const job = {
      sid,
      attempt: 1,
      state: 'ready',
      callStatus: 'active',
      sipCallId: SIP_CALL_ID,
      callerPresent: false,
      lastTurnAt: null,
    }
    const { statusCode } = await internal.inject({
      method: 'POST',
      url: '/internal/voice/workers/heartbeat',
      headers: { authorization: `Bearer ${INTERNAL_TOKEN}` },
      payload: {
        ...{ workerId: 'worker', version: '1', capacity: 1_000, draining: false },
        ...{ jobs: [{ ...job, ...changes }], exited: [] },
      },
    })
    return statusCode
  }
})
afterAll(async () => {
  await stopInternal?.()
  await calls[Symbol.asyncDispose]()
})

/** Claims the job of a call; returns a function that reports the end of its session. */
async function claimed({ id, roomName }: VoiceSessionRecord) {
  const { metadata = '' } = calls.double.room(roomName)?.dispatches.at(-1) ?? {}
  const job = await worker.claim({ sid: id, t: readDispatchMetadata(metadata)?.t ?? '' })
  if (!job) throw new Error('the job was not claimed')
  const timings = { readyMs: 0, firstAudioMs: null, durationMs: 0 }
  return (reason: WorkerEndReason) =>
    worker.session(job).end({ reason, usage: [], failoverUsed: false, timings })
}

/** Simulates a dialing process that died ten seconds ago, for calls from now on. */
function killDialers(): Disposable {
  const store = calls.server.context.database.voice.calls
  const { toDialing, dialerSeen } = store
  store.toDialing = (key, change) => toDialing(key, { ...change, at: new Date(change.at.getTime() - 10_000) })
  store.dialerSeen = async () => {}
  return { [Symbol.dispose]: () => void Object.assign(store, { toDialing, dialerSeen }) }
}

test('a heartbeat updates an answered call of a dead dialing process, and its outcome is the answer', async () => {
  using _ = killDialers()
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const first = calls.call(on, { idempotencyKey: 'dead' })
  const { id } = await calls.session(on, ['dialing'])
  // A repeated request for the same call gets the response of the abandoned request.
  const joined = calls.call(on, { idempotencyKey: 'dead' })
  expect(await heartbeat(id, { callStatus: 'ringing' })).toBe(200)
  expect((await calls.session(on, ['dialing'])).answeredAt).toBeNull()
  expect(await heartbeat(id)).toBe(200)
  const row = await calls.session(on, ['active'])
  expect(row).toMatchObject({ sipCallId: SIP_CALL_ID, answeredAt: expect.any(Date), phaseDeadline: null })
  expect(await joined).toMatchObject({ status: 201, body: { sipCallId: SIP_CALL_ID } })
  await calls.endRinging(on, [first])
})

test('a heartbeat of another worker, or without the id of the call, changes nothing', async () => {
  using _ = killDialers()
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const call = calls.call(on)
  const { id } = await calls.session(on, ['dialing'])
  await heartbeat(id, { sipCallId: null })
  const { calls: store } = calls.server.context.database.voice
  const times = { at: new Date(), dialerSeenBefore: new Date() }
  expect(await store.answeredUnseen('another', [{ sessionId: id, sipCallId: SIP_CALL_ID }], times)).toEqual(
    [],
  )
  expect((await calls.session(on, ['dialing'])).answeredAt).toBeNull()
  await calls.endRinging(on, [call])
})

test('while the dialing process lives, a status that turns active too early moves nothing', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const call = calls.call(on)
  const { id, dialerSeenAt } = await calls.session(on, ['dialing'])
  await heartbeat(id)
  expect((await calls.session(on, ['dialing'])).sipCallId).toBeNull()
  const seenAt = async () => (await calls.session(on, ['dialing'])).dialerSeenAt?.getTime() ?? 0
  await expect.poll(seenAt).toBeGreaterThan(dialerSeenAt?.getTime() ?? 0)
  await calls.endRinging(on, [call])
})

test('of a concurrent heartbeat, answer and cancel, one decides', async () => {
  using _ = killDialers()
  calls.double.calls.script = () => ({ ring: true })
  const { calls: store, sessions } = calls.server.context.database.voice
  for (let round = 0; round < 8; round += 1) {
    const on = await calls.trunk()
    const call = calls.call(on)
    const row = await calls.session(on, ['dialing'])
    const at = new Date()
    const answers = [{ sessionId: row.id, sipCallId: SIP_CALL_ID }]
    const racers = [
      async () => (await store.answeredUnseen('worker', answers, { at, dialerSeenBefore: at })).length > 0,
      () => store.answered(row, { sipCallId: 'SCL_dialed', at }),
      async () =>
        (await sessions.end(row, { reason: 'canceled', from: ['dialing'], at, billingUnitS: 60 })) !== null,
    ]
    const order = racers.map((_, index) => (index + round) % racers.length)
    const won = await Promise.all(order.map((index) => racers[index]?.()))
    expect(won.filter(Boolean)).toHaveLength(1)
    const decided = await sessions.byKey(row)
    const winner = order[won.indexOf(true)]
    const expected = [
      { sessionState: 'active', sipCallId: SIP_CALL_ID },
      { sessionState: 'active', sipCallId: 'SCL_dialed' },
      { sessionState: 'failed', sipCallId: null, answeredAt: null, chargedS: 0 },
    ]
    expect(decided).toMatchObject(expected[winner ?? -1] ?? {})
    await calls.endRinging(on, [call])
  }
})

test('the room of a call closes after its dialing process died: the call is canceled, not completed', async () => {
  using _ = killDialers()
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const call = calls.call(on, { idempotencyKey: 'closed' })
  const end = await claimed(await calls.session(on, ['dialing']))
  const joined = calls.call(on, { idempotencyKey: 'closed' })
  await expect.poll(async () => (await calls.session(on, ['dialing'])).waiterSeenAt).not.toBeNull()
  await end('participant_left')
  const row = await calls.session(on, ['failed'])
  expect(row).toMatchObject({
    endedReason: 'canceled',
    failureReason: 'canceled',
    answeredAt: null,
    chargedS: 0,
  })
  const refusal = [502, 'call_failed', 'The call was canceled before it was answered.']
  expect(refusalOf(await joined)).toEqual(refusal)
  expect(refusalOf(await calls.call(on, { idempotencyKey: 'closed' }))).toEqual(refusal)
  await calls.endRinging(on, [call])
})

test('if the agent of a call leaves while it rings, the ringing stops, and the dialing process reports the end', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const call = calls.call(on)
  const end = await claimed(await calls.session(on, ['dialing']))
  await end('agent_ended')
  expect(await call).toMatchObject({ status: 502, body: { error: 'call_failed' } })
  const row = await calls.session(on, ['failed'])
  expect(row).toMatchObject({ endedReason: 'call_failed', answeredAt: null, chargedS: 0 })
  expect(calls.double.room(row.roomName)).toBeUndefined()
})

test('if the agent of a call fails while it rings, the call fails with it', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const call = calls.call(on)
  const end = await claimed(await calls.session(on, ['dialing']))
  await end('provider_error')
  expect((await call).status).toBe(503)
  expect(await calls.session(on, ['failed'])).toMatchObject({ endedReason: 'provider_error', chargedS: 0 })
})

test('of a worker’s end and an unawaited answer, one decides, and no call stays active', async () => {
  using _ = killDialers()
  calls.double.calls.script = () => ({ ring: true })
  for (let round = 0; round < 8; round += 1) {
    const on = await calls.trunk()
    const call = calls.call(on)
    const row = await calls.session(on, ['dialing'])
    const end = await claimed(row)
    const racers = [() => end('participant_left'), () => heartbeat(row.id)]
    await Promise.all((round % 2 === 0 ? racers : racers.toReversed()).map((race) => race()))
    const over = await calls.session(on, ['failed', 'completed'])
    const expected = [
      { endedReason: 'canceled', answeredAt: null, sipCallId: null, chargedS: 0 },
      { endedReason: 'participant_left', answeredAt: expect.any(Date), sipCallId: SIP_CALL_ID },
    ]
    expect(over).toMatchObject(expected[over.answeredAt === null ? 0 : 1] ?? {})
    await calls.endRinging(on, [call])
  }
})

describe('a call with a dead dialing process', () => {
  const RESULTS = ['start_failed', 'canceled', 'provider_error', 'answered']

  /** Number of calls by result. */
  async function counted(): Promise<number[]> {
    const text = await calls.server.context.metrics.registry.metrics()
    return RESULTS.map((result) => {
      const line = `troupe_voice_call_results_total{result="${result}",sip_code="none"} `
      const found = text.split('\n').find((one) => one.startsWith(line))
      return Number(found?.slice(line.length) ?? 0)
    })
  }

  /** Inserts the row of such a call beside that of an answered one; its phase lasts this many more milliseconds. */
  async function orphaned(like: VoiceSessionRecord, state: 'starting' | 'dialing', phaseMs: number) {
    const { calls: store, sessions } = calls.server.context.database.voice
    const { trunkId, phoneNumberId, toE164, toCountry, fromE164 } = like
    if (!(trunkId && phoneNumberId && toE164 && toCountry && fromE164)) throw new Error('it is no call')
    const id: VoiceSessionId = newId(VoiceSessionId)
    const phaseDeadline = new Date(Date.now() + phaseMs)
    const call = {
      ...{ ...like, id, roomName: `call_${id}`, createdAt: new Date(), jobTokenHash: id, phaseDeadline },
      ...{ trunkId, phoneNumberId, toE164, toCountry, fromE164 },
    }
    const options = { idempotency: null, maxCps: 1, workersSeenAfter: new Date(0) }
    await store.open(call, options, () => ({ reservedS: 60 }))
    const seenAt = new Date(Date.now() - 10_000)
    if (state === 'dialing') {
      await sessions.accepted(call, 'worker', new Date())
      await store.toDialing(call, { roomSid: `RM_${id}`, phaseDeadline, at: seenAt })
    }
    return id
  }

  async function answered(): Promise<VoiceSessionRecord> {
    calls.double.calls.script = () => ({ answer: true })
    const on = await calls.trunk()
    await calls.call(on)
    return calls.session(on, ['active'])
  }

  /** The additional counts by result. */
  async function countedBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await counted()
    await work()
    const after = await counted()
    const added = RESULTS.map(
      (result, index) => [result, (after[index] ?? 0) - (before[index] ?? 0)] as const,
    )
    return Object.fromEntries(added.filter(([, count]) => count !== 0))
  }

  test.for([
    ['starting', 'start_failed'],
    ['dialing', 'canceled'],
  ] as const)('is counted once by the upkeep that ends it while it is %s', async ([state, result]) => {
    const like = await answered()
    const { duties } = calls.server.context
    const added = await countedBy(async () => {
      await orphaned(like, state, -1)
      await Promise.all([duties.perform('voiceSessions'), duties.perform('voiceSessions')])
      await duties.perform('voiceSessions')
    })
    expect(added).toEqual({ [result]: 1 })
  })

  test('is counted by the end that its worker reports', async () => {
    const like = await answered()
    const { parts } = calls.server.context.voice
    for (const [told, result] of [
      ['participant_left', 'canceled'],
      ['provider_error', 'provider_error'],
    ] as const) {
      const added = await countedBy(async () => {
        const row = await parts.stores.sessions.locate(await orphaned(like, 'dialing', 60_000))
        if (!row) throw new Error('the call was not opened')
        for (const _ of [1, 2]) await endByWorker(parts, row, { reason: told, usage: null })
      })
      expect(added).toEqual({ [result]: 1 })
    }
  })

  test('is counted as answered by the heartbeat that records its answer, and not again at its end', async () => {
    const like = await answered()
    const { parts } = calls.server.context.voice
    const added = await countedBy(async () => {
      const id = await orphaned(like, 'dialing', 60_000)
      for (const _ of [1, 2]) await heartbeat(id)
      const row = await parts.stores.sessions.locate(id)
      if (row?.sessionState !== 'active') throw new Error('the answer was not taken')
      await endByWorker(parts, row, { reason: 'participant_left', usage: null })
    })
    expect(added).toEqual({ answered: 1 })
  })
})

test('a call that its worker ends while a living process dials it is counted once', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await calls.trunk()
  const total = async () => {
    const text = await calls.server.context.metrics.registry.metrics()
    const lines = text.split('\n').filter((line) => line.startsWith('troupe_voice_call_results_total{'))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const before = await total()
  const call = calls.call(on)
  const end = await claimed(await calls.session(on, ['dialing']))
  await end('provider_error')
  await call
  expect(await total()).toBe(before + 1)
})
