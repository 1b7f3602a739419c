import type { CallScript } from '@troupe/livekit/testing/double-calls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallSetting, LONDON, openCalls, refusalOf, SEEDED_NUMBER } from './call-setting.ts'

let calls: CallSetting
beforeAll(async () => {
  calls = await openCalls()
})
afterAll(() => calls[Symbol.asyncDispose]())
beforeEach(() => {
  Object.assign(calls.worker, { accepts: true, isReady: true })
  calls.double.calls.script = () => ({ answer: true })
})

const UNAVAILABLE = [
  503,
  'voice_infrastructure_unavailable',
  'Voice is temporarily unavailable. Try again shortly.',
]

describe('an answered call', () => {
  test('is a room with a dispatched agent, and one INVITE with the options of the design', async () => {
    const on = await calls.trunk({ trunk: { ringingTimeoutS: 20, maxCallS: 600, mediaTimeoutS: 30 } })
    const { body, status } = await calls.call(on)
    expect(status).toBe(201)
    const { roomName } = body as { roomName: string }
    const [row] = await calls.calls(on)
    expect(calls.double.room(roomName)?.request).toMatchObject({
      emptyTimeout: 90,
      departureTimeout: 1,
      maxParticipants: 2,
      metadata: JSON.stringify({ sid: row?.id }),
    })
    expect(calls.double.calls.dialed.at(-1)).toMatchObject({
      sipCallTo: LONDON,
      sipNumber: SEEDED_NUMBER,
      roomName,
      participantIdentity: expect.stringMatching(/^callee-[0-9a-f]{8}$/),
      participantAttributes: { 'troupe.sid': row?.id },
      waitUntilAnswered: true,
      ringingTimeout: '20s',
      maxCallDuration: '620s',
      media: { mediaTimeout: '30s' },
    })
    expect(row).toMatchObject({
      kind: 'outbound_call',
      sessionState: 'active',
      toE164: LONDON,
      toCountry: 'GB',
      fromE164: SEEDED_NUMBER,
      lkRoomSid: calls.double.room(roomName)?.sid,
      sipCallId: (body as { sipCallId: string }).sipCallId,
      phaseDeadline: null,
      chargedS: null,
      reservedS: 300,
    })
  })

  test('has a callee with a unique name in the room', async () => {
    const before = calls.double.calls.dialed.length
    for (let call = 0; call < 2; call += 1) {
      expect((await calls.call(await calls.trunk())).status).toBe(201)
    }
    const names = calls.double.calls.dialed.slice(before).map((dialed) => Object(dialed).participantIdentity)
    expect(new Set(names).size).toBe(2)
  })

  test('is dialed with the carrier’s number format and the configured user name in From', async () => {
    const on = await calls.trunk({
      trunk: { numberFormat: 'national', defaultCountry: 'GB', fromUser: 'acme', headers: { 'X-Tag': 'a' } },
    })
    expect((await calls.call(on)).status).toBe(201)
    expect(calls.double.calls.dialed.at(-1)).toMatchObject({
      sipCallTo: '02079460999',
      sipNumber: 'acme',
      headers: { 'X-Tag': 'a', 'P-Preferred-Identity': `<tel:${SEEDED_NUMBER}>` },
    })
  })
})

describe('the max duration of a call', () => {
  /** Seconds beyond the ringing: of the row, and of the INVITE. */
  async function longest(setting: CallSetting, maxCallS: number): Promise<number[]> {
    const { agents, otherProjectId: projectId } = setting.server.seed
    const on = await setting.trunk({
      ...{ projectId, agentId: agents.otherProject, settings: { limits: { maxSessionS: 120 } } },
      trunk: { ringingTimeoutS: 20, maxCallS },
    })
    expect((await setting.call(on)).status).toBe(201)
    const [row] = await setting.calls(on)
    const { maxCallDuration } = Object(setting.double.calls.dialed.at(-1))
    const rowMs = Number(row?.expiresAt) - Number(row?.createdAt)
    return [rowMs / 1_000, Number.parseInt(maxCallDuration, 10)].map((seconds) => seconds - 20)
  }

  test.for([
    ['the trunk', 90, 90],
    ['the voice configuration', 600, 120],
  ] as const)('is the limit of %s if that is less', async ([, maxCallS, expected]) => {
    expect(await longest(calls, maxCallS)).toEqual([expected, expected])
  })

  test('is never above the limit of the deployment', async () => {
    await using short = await openCalls({ VOICE_MAX_SESSION_SECONDS: '30' })
    expect(await longest(short, 600)).toEqual([30, 30])
  })
})

describe('an unanswered call is 502 call_failed, and its room is deleted', () => {
  const R = 'No answer within 30 seconds.'
  test.for<[CallScript, string, string]>([
    [{ sipStatus: 486, phrase: 'Busy Here' }, 'busy', 'The called party is busy (SIP 486).'],
    [{ sipStatus: 600, phrase: 'Busy Everywhere' }, 'busy', 'The called party is busy (SIP 600).'],
    [
      { sipStatus: 480, phrase: 'Temporarily Unavailable' },
      'no_answer',
      'The called party is temporarily unavailable (SIP 480).',
    ],
    [
      { sipStatus: 404, phrase: 'Not Found' },
      'invalid_number',
      'The number is not valid or not in service (SIP 404).',
    ],
    [
      { sipStatus: 484, phrase: '' },
      'invalid_number',
      'The number is not valid or not in service (SIP 484).',
    ],
    [{ sipStatus: 603, phrase: 'Decline' }, 'declined', 'The call was declined (SIP 603).'],
    [{ sipStatus: 401, phrase: 'Unauthorized' }, 'trunk_auth', 'The carrier rejected the trunk credentials.'],
    [
      { sipStatus: 403, phrase: 'Not paid' },
      'carrier_refused',
      'The carrier refused the call (SIP 403): Not paid',
    ],
    [
      { sipStatus: 488, phrase: 'Not Acceptable' },
      'media_mismatch',
      'No common codec with the carrier (SIP 488).',
    ],
    [{ sipStatus: 503, phrase: 'Oops' }, 'carrier_error', 'The carrier failed the call (SIP 503).'],
    [
      { sipStatus: 487, phrase: 'Request Terminated' },
      'canceled',
      'The call was canceled before it was answered.',
    ],
    [{ status: 408, code: 'deadline_exceeded', message: 'deadline' }, 'no_answer', R],
    [
      { status: 503, code: 'unavailable', message: 'dial tcp: connection refused' },
      'carrier_unreachable',
      'The carrier did not respond.',
    ],
    [{ status: 400, code: 'out_of_range', message: 'odd' }, 'unknown', 'The call failed.'],
  ])('%j: %s', async ([script, failureReason, message]) => {
    calls.double.calls.script = () => script
    const on = await calls.trunk()
    expect(refusalOf(await calls.call(on))).toEqual([502, 'call_failed', message])
    const [row] = await calls.calls(on)
    expect(row).toMatchObject({
      sessionState: 'failed',
      endedReason: 'call_failed',
      failureReason,
      failureMessage: message,
      sipStatusCode: 'sipStatus' in script ? script.sipStatus : null,
      chargedS: 0,
      roomGone: true,
    })
    expect(calls.double.room(row?.roomName ?? '')).toBeUndefined()
  })

  test('silence until the ringing timeout of the trunk', async () => {
    calls.double.calls.script = () => ({ ring: true })
    const on = await calls.trunk({ trunk: { ringingTimeoutS: 1 } })
    expect(refusalOf(await calls.call(on))).toEqual([502, 'call_failed', 'No answer within 1 seconds.'])
  })

  test('a rejection proposes the number for the do-not-call list', async () => {
    const { database } = calls.server.context
    const { organizationId } = calls.server.seed
    const to = '+442079460333'
    calls.double.calls.script = () => ({ sipStatus: 607, phrase: 'Unwanted' })
    await calls.call(await calls.trunk(), { to })
    const { rows: listed } = await database.read.phone.doNotCall(organizationId, { page: 1, limit: 100 })
    expect(listed).toContainEqual(
      expect.objectContaining({ e164: to, status: 'proposed', reason: 'Call rejected (SIP 607)' }),
    )
  })
})

describe('the media server', () => {
  test('that lost the trunk gets it again, once, and the call continues', async () => {
    const on = await calls.trunk()
    expect((await calls.call(on)).status).toBe(201)
    calls.double.loseTrunks()
    const dialed = calls.double.calls.dialed.length
    expect((await calls.call(on, { to: '+442079460998' })).status).toBe(201)
    expect(calls.double.calls.dialed).toHaveLength(dialed + 2)
    expect(calls.double.calls.trunks.size).toBe(1)
  })

  test('that lost the trunk gets it once from two concurrent calls', async () => {
    const on = await calls.trunk()
    expect((await calls.call(on)).status).toBe(201)
    calls.double.loseTrunks()
    const others = ['+442079460997', '+442079460998'].map((to) => calls.call(on, { to }))
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201])
    expect(calls.double.calls.trunks.size).toBe(1)
  })

  test('that loses the trunk again is 502, without a third attempt', async () => {
    const on = await calls.trunk()
    expect((await calls.call(on, { to: '+442079460998' })).status).toBe(201)
    calls.double.calls.script = () => ({ status: 404, code: 'not_found', message: 'requested sip trunk' })
    const dialed = calls.double.calls.dialed.length
    expect(refusalOf(await calls.call(on))).toEqual([502, 'call_failed', 'The trunk could not be reached.'])
    expect(calls.double.calls.dialed).toHaveLength(dialed + 2)
  })

  test('that is unavailable while a lost trunk is provisioned is 503, and the same idempotency key calls later', async () => {
    const on = await calls.trunk()
    const idempotencyKey = crypto.randomUUID()
    expect((await calls.call(on, { to: '+442079460998' })).status).toBe(201)
    const unavailable = { status: 503, code: 'unavailable', message: 'no response from servers' }
    for (const fault of [{ kind: 'hang_up' }, { kind: 'status', ...unavailable }] as const) {
      calls.double.loseTrunks()
      calls.double.fault('CreateSIPOutboundTrunk', fault)
      expect(refusalOf(await calls.call(on, { idempotencyKey }))).toEqual(UNAVAILABLE)
      expect((await calls.calls(on)).at(-1)).toMatchObject({ failureReason: 'infra', chargedS: 0 })
    }
    calls.double.fault('CreateSIPOutboundTrunk', null)
    expect((await calls.call(on, { idempotencyKey })).status).toBe(201)
  })

  test('that refuses a lost trunk is 502', async () => {
    const on = await calls.trunk()
    expect((await calls.call(on, { to: '+442079460998' })).status).toBe(201)
    calls.double.loseTrunks()
    const invalid = { status: 400, code: 'invalid_argument', message: 'odd address' }
    calls.double.fault('CreateSIPOutboundTrunk', { kind: 'status', ...invalid })
    expect(refusalOf(await calls.call(on))).toEqual([502, 'call_failed', 'The trunk could not be reached.'])
    calls.double.fault('CreateSIPOutboundTrunk', null)
  })

  test.for<[string, CallScript]>([
    ['has no bridge', { status: 503, code: 'unavailable', message: 'no response from servers' }],
    ['has a bridge without processor time', { status: 503, code: 'unavailable', message: 'cpu exhausted' }],
    ['has a bridge that is not connected', { status: 500, code: 'internal', message: 'sip not connected' }],
  ])('that %s is 503, and nothing is charged', async ([, script]) => {
    calls.double.calls.script = () => script
    const on = await calls.trunk()
    expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
    expect((await calls.calls(on))[0]).toMatchObject({ failureReason: 'infra', chargedS: 0 })
  })

  test('that refuses the room is 503 before dialing', async () => {
    const on = await calls.trunk()
    const dialed = calls.double.calls.dialed.length
    calls.double.fault('CreateRoom', { kind: 'status', status: 500, code: 'internal', message: 'oops' })
    expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
    calls.double.fault('CreateRoom', null)
    expect(calls.double.calls.dialed).toHaveLength(dialed)
  })
})

test('a job without an accepting worker is 503 after three seconds, without dialing', async () => {
  calls.worker.accepts = false
  const on = await calls.trunk()
  const dialed = calls.double.calls.dialed.length
  expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
  expect(calls.double.calls.dialed).toHaveLength(dialed)
  const [row] = await calls.calls(on)
  expect(row).toMatchObject({ endedReason: 'agent_unavailable', chargedS: 0, roomGone: true })
})

test('an answer without an agent is hung up after two seconds, 503, and not charged', async () => {
  calls.worker.isReady = false
  const on = await calls.trunk()
  expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
  const [row] = await calls.calls(on)
  expect(row).toMatchObject({ endedReason: 'agent_unavailable', failureReason: 'infra', chargedS: 0 })
  expect(calls.double.room(row?.roomName ?? '')).toBeUndefined()
})

test('after three answers without an agent within an hour the fourth call to the number is 429', async () => {
  calls.worker.isReady = false
  const on = await calls.trunk({ trunk: { maxCallsPerDestinationPerHour: 3 } })
  const dialed = calls.double.calls.dialed.length
  for (let call = 0; call < 3; call += 1) expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
  const fourth = await calls.call(on)
  expect([fourth.status, fourth.body]).toMatchObject([429, { error: 'rate_limit_exceeded' }])
  expect(calls.double.calls.dialed).toHaveLength(dialed + 3)
})

test('results of calls are a metric, by result and SIP code', async () => {
  const counted = async (result: string, sipCode: string) => {
    const text = await calls.server.context.metrics.registry.metrics()
    const line = `troupe_voice_call_results_total{result="${result}",sip_code="${sipCode}"} `
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.slice(line.length) ?? 0,
    )
  }
  const before = [await counted('answered', 'none'), await counted('busy', '600')]
  await calls.call(await calls.trunk())
  calls.double.calls.script = () => ({ sipStatus: 600, phrase: 'Busy Everywhere' })
  const on = await calls.trunk()
  for (const to of [LONDON, '+442079460998']) await calls.call(on, { to })
  const after = [await counted('answered', 'none'), await counted('busy', '600')]
  expect(after).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 2])
})
