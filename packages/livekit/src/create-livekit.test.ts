import { newId, PhoneTrunkId, VoiceSessionId } from '@troupe/contract'
import { MediaPlaneError } from '@troupe/voice'
import { TokenVerifier } from 'livekit-server-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLivekit, type Livekit } from './create-livekit.ts'
import { signWebhook } from './testing/sign-webhook.ts'
import { startTwirpDouble, type TwirpDouble } from './testing/twirp-double.ts'

const SESSION = newId(VoiceSessionId)
const TRUNK = newId(PhoneTrunkId)

let double: TwirpDouble
let livekit: Livekit
beforeAll(async () => {
  double = await startTwirpDouble()
})
beforeEach(() => {
  livekit = createLivekit(double)
})
afterEach(async () => {
  for (const method of ['*', 'health', 'CreateRoom', 'ListDispatch'] as const) double.fault(method, null)
  double.bridgeStatus = 200
  await double.listen()
})
afterAll(() => double[Symbol.asyncDispose]())

const room = (roomName: string) => ({
  roomName,
  metadata: '{"sid":"1"}',
  dispatchMetadata: '{"v":1}',
  emptyTimeoutS: 300,
  departureTimeoutS: 20,
})

async function timed(act: () => Promise<unknown>) {
  const startedAt = performance.now()
  const result = await act().catch((error: unknown) => error)
  return { result, ms: performance.now() - startedAt }
}

describe('rooms', () => {
  test('a room is created in one request, with its limits and its dispatch', async () => {
    const before = double.requests.length
    await livekit.createRoom(room('vs_1'))
    expect(double.requests.slice(before)).toEqual([
      {
        method: 'CreateRoom',
        body: {
          name: 'vs_1',
          emptyTimeout: 300,
          departureTimeout: 20,
          maxParticipants: 2,
          metadata: '{"sid":"1"}',
          agents: [{ agentName: 'troupe-voice', metadata: '{"v":1}' }],
        },
      },
    ])
  })

  test('a refused connection is reported immediately', async () => {
    await double.stop()
    const { result, ms } = await timed(() => livekit.createRoom(room('vs_2')))
    expect(result).toMatchObject({ reason: 'unavailable', mayHaveHappened: false })
    expect(ms).toBeLessThan(500)
  })

  test('an unresponsive server is abandoned after 2 seconds, and the room may exist', async () => {
    double.fault('CreateRoom', { kind: 'black_hole' })
    const { result, ms } = await timed(() => livekit.createRoom(room('vs_3')))
    expect(result).toMatchObject({ reason: 'unavailable', mayHaveHappened: true })
    expect(ms).toBeGreaterThan(1_900)
    expect(ms).toBeLessThan(2_100)
    expect(double.room('vs_3')).toBeDefined()
  })

  test.for([
    ['an internal error', { kind: 'status', status: 500, code: 'internal', message: 'x' }, 'unavailable'],
    ['a closed connection', { kind: 'hang_up' }, 'unavailable'],
    ['a refusal', { kind: 'status', status: 400, code: 'invalid_argument', message: 'x' }, 'refused'],
  ] as const)('%s', async ([, fault, reason]) => {
    double.fault('CreateRoom', fault)
    const { result } = await timed(() => livekit.createRoom(room('vs_4')))
    expect(result).toBeInstanceOf(MediaPlaneError)
    expect(result).toMatchObject({ reason })
  })

  test('whether a room is alive is unknown while the server is down', async () => {
    await double.stop()
    await expect(livekit.isRoomAlive('vs_1')).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('the answer about a dead room is awaited, although it takes 3 seconds', async () => {
    double.fault('ListDispatch', { kind: 'delay', ms: 3_000 })
    expect(await livekit.isRoomAlive('vs_dead')).toBe(false)
  })

  test('a room that its media node lost is not alive', async () => {
    await livekit.createRoom(room('vs_5'))
    double.loseRoom('vs_5')
    expect(await livekit.isRoomAlive('vs_5')).toBe(false)
  })

  test('credentials that the server does not know are refused', async () => {
    const stranger = createLivekit({
      ...double,
      httpUrl: double.httpUrl,
      sipHealthUrl: null,
      apiSecret: 'x'.repeat(32),
    })
    await expect(stranger.createRoom(room('vs_6'))).rejects.toMatchObject({ reason: 'refused' })
  })
})

describe('tokens', () => {
  test('a token opens one room for 60 minutes and administers nothing', async () => {
    const token = await livekit.mintToken({ roomName: 'vs_1', identity: 'visitor 😀', sessionId: SESSION })
    const claims: unknown = await new TokenVerifier(double.apiKey, double.apiSecret).verify(token)
    expect(claims).toEqual({
      iss: double.apiKey,
      sub: 'visitor 😀',
      nbf: expect.any(Number),
      exp: expect.any(Number),
      attributes: { 'troupe.sid': SESSION },
      video: {
        room: 'vs_1',
        roomJoin: true,
        canPublish: true,
        canPublishSources: ['microphone'],
        canSubscribe: true,
        canPublishData: true,
        canUpdateOwnMetadata: false,
      },
    })
    expect(claims).toSatisfy(({ exp, nbf }: { exp: number; nbf: number }) => exp - nbf === 3600)
  })
})

describe('the breaker', () => {
  test('opens with the second failed probe and closes with the first good one', async () => {
    expect(livekit.health()).toEqual({ rooms: true, calls: true })
    await double.stop()
    await livekit.probe()
    expect(livekit.health()).toEqual({ rooms: true, calls: true })
    await livekit.probe()
    expect(livekit.health()).toEqual({ rooms: false, calls: false })
    await double.listen()
    await livekit.probe()
    expect(livekit.health()).toEqual({ rooms: true, calls: true })
  })

  test('a stale node counts as down', async () => {
    double.fault('health', { kind: 'status', status: 406, code: 'stale', message: 'Not Ready' })
    await livekit.probe()
    await livekit.probe()
    expect(livekit.health()).toEqual({ rooms: false, calls: false })
  })

  test('an unresponsive server is abandoned before the next probe is due', async () => {
    double.fault('health', { kind: 'black_hole' })
    const { ms } = await timed(() => livekit.probe())
    expect(ms).toBeLessThan(1_900)
  })

  test.for([429, 503])('a bridge that answers %i takes no calls, and rooms continue', async (status) => {
    double.bridgeStatus = status
    await livekit.probe()
    await livekit.probe()
    expect(livekit.health()).toEqual({ rooms: true, calls: false })
  })

  test('without a health page of the bridge, calls are as healthy as rooms', async () => {
    const alone = createLivekit({ ...double, httpUrl: double.httpUrl, sipHealthUrl: null })
    double.bridgeStatus = 503
    await alone.probe()
    await alone.probe()
    expect(alone.health()).toEqual({ rooms: true, calls: true })
  })
})

describe('webhooks', () => {
  const participant = (kind: string) => ({ sid: 'PA_1', identity: 'visitor', kind })

  test.for([
    [
      { event: 'participant_joined', participant: participant('STANDARD') },
      { type: 'participant_joined', identity: 'visitor', isAgent: false },
    ],
    [
      { event: 'participant_left', participant: participant('AGENT') },
      { type: 'participant_left', identity: 'visitor', isAgent: true },
    ],
    [
      { event: 'participant_left', participant: participant('SIP') },
      { type: 'participant_left', identity: 'visitor', isAgent: false },
    ],
    [{ event: 'room_finished' }, { type: 'room_finished' }],
    [{ event: 'track_published' }, { type: 'other' }],
    [{ event: 'something_new', newField: 1 }, { type: 'other' }],
  ] as const)('%j', async ([event, expected]) => {
    const sent = { id: 'EV_1', createdAt: '1700000000', room: { name: 'vs_1', sid: 'RM_1' }, ...event }
    const { rawBody, authorization } = await signWebhook(double, sent)
    expect(await livekit.verifyWebhook(rawBody, authorization)).toEqual({
      id: 'EV_1',
      at: new Date(1_700_000_000_000),
      roomName: 'vs_1',
      roomSid: 'RM_1',
      ...expected,
    })
  })

  test('an event without a room has none', async () => {
    const { rawBody, authorization } = await signWebhook(double, { id: 'EV_2', event: 'egress_started' })
    expect(await livekit.verifyWebhook(rawBody, authorization)).toEqual({
      id: 'EV_2',
      at: expect.any(Date),
      roomName: null,
      roomSid: null,
      type: 'other',
    })
  })

  test('events without a signature of this server over these bytes are refused', async () => {
    const event = { id: 'EV_3', event: 'room_finished', room: { name: 'vs_1', sid: 'RM_1' } }
    const { rawBody, authorization } = await signWebhook(double, event)
    const foreign = await signWebhook({ apiKey: double.apiKey, apiSecret: 'y'.repeat(32) }, event)
    expect(await livekit.verifyWebhook(rawBody, undefined)).toBeNull()
    expect(await livekit.verifyWebhook(`${rawBody} `, authorization)).toBeNull()
    expect(await livekit.verifyWebhook(rawBody, foreign.authorization)).toBeNull()
    expect(await livekit.verifyWebhook(rawBody, 'nonsense')).toBeNull()
    const nonsense = await signWebhook(double, { id: 'EV_4', event: 17 })
    expect(await livekit.verifyWebhook(nonsense.rawBody, nonsense.authorization)).toBeNull()
  })
})

describe('calls', () => {
  test('a trunk and a call have the fields that the carrier needs', async () => {
    const before = double.requests.length
    const mediaTrunkId = await livekit.provisionTrunk({
      trunkId: TRUNK,
      name: 'Out',
      address: 'sip.carrier.test:5060',
      transport: 'tls',
      numbers: ['+442079460100'],
      authUsername: 'user',
      authPassword: 'secret',
      headers: { 'X-Account': '1' },
      mediaEncryption: 'required',
    })
    await livekit.createRoom(room('call_1'))
    await livekit.dial({
      sessionId: SESSION,
      roomName: 'call_1',
      mediaTrunkId,
      dialString: '+442079460199',
      fromNumber: '+442079460100',
      participantIdentity: 'callee-1',
      headers: { 'P-Preferred-Identity': '<sip:user@carrier.test>' },
      ringingTimeoutS: 30,
      maxDurationS: 1830,
      mediaTimeoutS: 45,
    })
    expect(double.requests.slice(before).filter(({ method }) => method !== 'CreateRoom')).toEqual([
      {
        method: 'CreateSIPOutboundTrunk',
        body: {
          trunk: {
            name: 'Out',
            metadata: TRUNK,
            address: 'sip.carrier.test:5060',
            transport: 'SIP_TRANSPORT_TLS',
            numbers: ['+442079460100'],
            authUsername: 'user',
            authPassword: 'secret',
            headers: { 'X-Account': '1' },
            media: { encryption: 'SIP_MEDIA_ENCRYPT_REQUIRE' },
          },
        },
      },
      {
        method: 'CreateSIPParticipant',
        body: {
          sipTrunkId: mediaTrunkId,
          sipCallTo: '+442079460199',
          sipNumber: '+442079460100',
          roomName: 'call_1',
          participantIdentity: 'callee-1',
          participantAttributes: { 'troupe.sid': SESSION },
          headers: { 'P-Preferred-Identity': '<sip:user@carrier.test>' },
          ringingTimeout: '30s',
          maxCallDuration: '1830s',
          waitUntilAnswered: true,
          media: { mediaTimeout: '45s' },
        },
      },
    ])
  })

  test('the bridge has its default for a call without a media timeout', async () => {
    double.calls.script = () => ({ status: 403, code: 'permission_denied', message: 'no' })
    await livekit
      .dial({
        sessionId: newId(VoiceSessionId),
        roomName: 'call_2',
        mediaTrunkId: 'ST_x',
        dialString: '1',
        fromNumber: '2',
        participantIdentity: 'callee-2',
        headers: {},
        ringingTimeoutS: 10,
        maxDurationS: 60,
        mediaTimeoutS: null,
      })
      .catch(() => {})
    expect(double.calls.dialed.at(-1)).not.toHaveProperty('media')
    double.calls.script = () => ({ answer: true })
  })
})
