import { createHmac, randomUUID } from 'node:crypto'
import type { ProjectId } from '@troupe/contract'
import { startTestServer, type TestAnswer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addVoice, openVoice, PUBLIC_WS_URL, type VoiceSetting } from './voice-setting.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let voice: VoiceSetting
beforeAll(async () => {
  voice = await openVoice()
})
afterAll(() => voice[Symbol.asyncDispose]())
beforeEach(async () => {
  voice.clock.advance(3_601_000)
  await voice.beat()
  await voice.perform('voiceSessions')
})

/** A new key, because its limit of ten starts a minute is its own. */
function newKey(projectId?: ProjectId): Promise<string> {
  return voice.newKey(projectId === undefined ? {} : { projectId })
}

const sessionOf = ({ body }: TestAnswer) =>
  body as { sessionId: string; token: string; agentId: string; voiceConfigId: string }

/** The claims of a token that the media server's secret has signed. */
function claimsOf(token: string): Record<string, unknown> {
  const [header = '', payload = '', signature] = token.split('.')
  const expected = createHmac('sha256', voice.double.apiSecret).update(`${header}.${payload}`)
  expect(signature).toBe(expected.digest('base64url'))
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
}

describe('a started session', () => {
  test('has exactly the fields of the specification', async () => {
    const answer = await voice.start({ key: await newKey() })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      sessionId: expect.stringMatching(UUID),
      wsUrl: PUBLIC_WS_URL,
      token: expect.any(String),
      agentId: voice.server.seed.agents.organization,
      voiceConfigId: expect.stringMatching(UUID),
    })
  })

  test('returns end_user_ref if it was sent, and stores it with the session only', async () => {
    const ref = 'c'.repeat(512)
    const body = { participantIdentity: 'caller', end_user_ref: ref }
    const answer = await voice.start({ key: await newKey(), body })
    expect(answer.body).toMatchObject({ end_user_ref: ref })
    const { sessionId, token } = sessionOf(answer)
    expect(await voice.session(sessionId)).toMatchObject({ endUserRef: ref, participantIdentity: 'caller' })
    expect(JSON.stringify([claimsOf(token), voice.double.requests])).not.toContain(ref)
  })

  test('has a room for two, whose metadata is only the session id and a lifetime of one minute', async () => {
    const answer = await voice.start({ key: await newKey() })
    const { sessionId } = sessionOf(answer)
    const room = voice.double.room(`vs_${sessionId}`)
    expect(JSON.parse(room?.metadata ?? '')).toEqual({ sid: sessionId })
    expect(room?.request).toMatchObject({ emptyTimeout: 300, departureTimeout: 20, maxParticipants: 2 })
    expect(room?.dispatches).toHaveLength(1)
    expect(room?.dispatches[0]?.agentName).toBe('troupe-voice')
    expect(JSON.parse(room?.dispatches[0]?.metadata ?? '')).toEqual({
      v: 1,
      sid: sessionId,
      n: 1,
      t: expect.any(String),
    })
  })

  test('is one request to the media server', async () => {
    const before = voice.double.requests.length
    await voice.start({ key: await newKey() })
    expect(voice.double.requests.slice(before).map(({ method }) => method)).toEqual(['CreateRoom'])
  })

  test('waits for its caller, with its limits counted from its creation', async () => {
    const at = voice.clock.now()
    const { sessionId } = sessionOf(await voice.start({ key: await newKey() }))
    expect(await voice.session(sessionId)).toMatchObject({
      sessionState: 'waiting',
      kind: 'web',
      lkRoomSid: voice.double.room(`vs_${sessionId}`)?.sid,
      createdAt: new Date(at),
      expiresAt: new Date(at + 3_600_000),
      phaseDeadline: new Date(at + 305_000),
    })
  })

  test('has a token for this room only, which is valid for 60 minutes', async () => {
    const identity = '😀'.repeat(256)
    const { sessionId, token } = sessionOf(
      await voice.start({ key: await newKey(), body: { participantIdentity: identity } }),
    )
    const claims = claimsOf(token)
    expect(claims).toMatchObject({ sub: identity, attributes: { 'troupe.sid': sessionId } })
    expect(Number(claims.exp) - Number(claims.nbf)).toBe(3_600)
    expect(claims.video).toEqual({
      room: `vs_${sessionId}`,
      roomJoin: true,
      canPublish: true,
      canPublishSources: ['microphone'],
      canSubscribe: true,
      canPublishData: true,
      canUpdateOwnMetadata: false,
    })
  })

  test('may use a draft, and an agent of a project-scoped key', async () => {
    const { agents, projectId } = voice.server.seed
    const answer = await voice.start({ agentId: agents.project, key: await newKey(projectId) })
    expect(answer.status).toBe(200)
    expect(await voice.session(sessionOf(answer).sessionId)).toMatchObject({ projectId })
  })

  test('ends earlier if its voice configuration has a lower limit', async () => {
    const { organizationId, projectId: ofProject, agents } = voice.server.seed
    const { otherProjectId: projectId } = voice.server.seed
    expect(projectId).not.toBe(ofProject)
    const agentId = agents.otherProject
    await addVoice(voice.server, { organizationId, projectId, agentId }, { limits: { maxSessionS: 60 } })
    const { sessionId } = sessionOf(await voice.start({ agentId, key: await newKey() }))
    const { createdAt, expiresAt } = await voice.session(sessionId)
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(60_000)
  })
})

describe('a refused start', () => {
  const refusal = (answer: TestAnswer) => [answer.status, (answer.body as { error: string }).error]

  test.for<[string, object, string]>([
    ['no identity', {}, 'participantIdentity'],
    ['an empty identity', { participantIdentity: '' }, 'participantIdentity'],
    ['an identity of 257 characters', { participantIdentity: 'x'.repeat(257) }, 'participantIdentity'],
    ['an identity that is a number', { participantIdentity: 7 }, 'participantIdentity'],
    ['an identity with NUL', { participantIdentity: 'a\0b' }, 'participantIdentity'],
    ['an identity with half a character', { participantIdentity: 'a\ud800' }, 'participantIdentity'],
    [
      'a reference of 513 characters',
      { participantIdentity: 'x', end_user_ref: 'r'.repeat(513) },
      'end_user_ref',
    ],
    ['a reference that is null', { participantIdentity: 'x', end_user_ref: null }, 'end_user_ref'],
  ])('is 400 for %s and names the field', async ([, body, path]) => {
    const answer = await voice.start({ key: await newKey(), body })
    expect(refusal(answer)).toEqual([400, 'validation_error'])
    expect(answer.body).toMatchObject({ errors: [{ path, message: expect.any(String) }] })
  })

  test('is 422 for a reference with @, before the agent is loaded', async () => {
    const body = { participantIdentity: 'x', end_user_ref: 'ana@acme.test' }
    const answer = await voice.start({ agentId: randomUUID(), key: await newKey(), body })
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        error: 'end_user_ref_must_be_opaque',
        message: "end_user_ref must be an opaque identifier and must not contain '@'.",
      },
    ])
  })

  test('is the same 403 for unknown, malformed, foreign and other-project agents', async () => {
    const { agents, projectId } = voice.server.seed
    const key = await newKey(projectId)
    const ids = [
      randomUUID(),
      'not-a-uuid',
      agents.otherOrganization,
      agents.organization,
      agents.otherProject,
    ]
    for (const agentId of ids) {
      const answer = await voice.start({ agentId, key })
      expect([answer.status, answer.body]).toEqual([
        403,
        { error: 'forbidden', message: 'This agent is not available to this API key.' },
      ])
    }
  })

  test('is 404 for an agent without a voice configuration, and for an archived one', async () => {
    const { database } = voice.server.context
    const { organizationId, agents } = voice.server.seed
    const key = await newKey()
    const setStatus = (status: 'archived' | 'active') =>
      database.transaction(({ write }) => write.agents.setStatus(organizationId, agents.organization, status))
    await setStatus('archived')
    expect(refusal(await voice.start({ key }))).toEqual([404, 'voice_configuration_not_found'])
    await setStatus('active')
    const without = await voice.newAgent()
    expect(refusal(await voice.start({ agentId: without, key }))).toEqual([
      404,
      'voice_configuration_not_found',
    ])
  })

  test('is 429 for the eleventh request of a key in a minute, valid or not, with the endpoint’s headers', async () => {
    const key = await newKey()
    for (let sent = 1; sent <= 10; sent += 1) {
      const answer = await voice.start({ key, body: {} })
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': String(10 - sent),
      })
      const seconds = Number(answer.headers['x-ratelimit-reset']) - voice.clock.now() / 1_000
      expect(seconds).toBeGreaterThan(30)
      expect(seconds).toBeLessThanOrEqual(61)
    }
    const refused = await voice.start({ key })
    expect(refusal(refused)).toEqual([429, 'rate_limit_exceeded'])
    const retryAfter = refused.headers['retry-after']
    expect(refused.headers['x-ratelimit-retry-after']).toBe(retryAfter)
    expect(refused.body).toMatchObject({ retry_after: Number(retryAfter) })
    expect((await voice.start({ key: await newKey() })).status).toBe(200)
  })

  test('is 429 for the sixth session of a key, with the rest of the endpoint’s window as the time to retry', async () => {
    const key = await newKey()
    for (let sent = 0; sent < 5; sent += 1) expect((await voice.start({ key })).status).toBe(200)
    const answer = await voice.start({ key })
    expect([answer.status, answer.body]).toEqual([
      429,
      { error: 'concurrent_session_limit', message: 'This API key already has 5 active voice sessions.' },
    ])
    const { 'retry-after': retryAfter, 'x-ratelimit-retry-after': repeated } = answer.headers
    expect(repeated).toBe(retryAfter)
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
    expect(Number(retryAfter)).toBeLessThanOrEqual(60)
  })

  test('is 503 when earlier starts have used the capacity of the workers, even before a heartbeat reports it', async () => {
    const key = await newKey()
    await voice.beat({ capacity: 2 })
    const first = await voice.start({ key })
    const { sessions } = voice.server.context.database.voice
    await sessions.accepted(await voice.session(sessionOf(first).sessionId), 'worker-1', new Date())
    expect((await voice.start({ key })).status).toBe(200)
    expect(refusal(await voice.start({ key }))).toEqual([503, 'voice_infrastructure_unavailable'])
    await voice.beat({ capacity: 3 })
    expect((await voice.start({ key })).status).toBe(200)
  })

  test('is 503 before a slot is taken when no worker has capacity', async () => {
    const key = await newKey()
    for (const beat of [{ draining: true }, { capacity: 0 }]) {
      await voice.beat(beat)
      const answer = await voice.start({ key })
      expect([answer.status, answer.body]).toEqual([
        503,
        {
          error: 'voice_infrastructure_unavailable',
          message: 'Voice is temporarily unavailable. Try again shortly.',
        },
      ])
    }
    await voice.beat()
    voice.clock.advance(10_000)
    expect(refusal(await voice.start({ key }))).toEqual([503, 'voice_infrastructure_unavailable'])
    await voice.beat()
    for (let sent = 0; sent < 5; sent += 1) expect((await voice.start({ key })).status).toBe(200)
  })
})

describe('the order of the checks', () => {
  /** Each is refused by its own check, although every later check would also refuse it. */
  test('follows the specification', async () => {
    const { seed } = voice.server
    await voice.beat({ draining: true })
    const key = await newKey()
    const errors: unknown[] = []
    const send = async (agentId: string, body: object, by: string = key) => {
      const answer = await voice.start({ agentId, key: by, body })
      errors.push((answer.body as { error: string }).error)
    }
    const valid = { participantIdentity: 'x' }
    const without = await voice.newAgent()
    await send(randomUUID(), { end_user_ref: '@' }, 'nobody')
    await send(randomUUID(), { end_user_ref: '@' })
    await send(randomUUID(), { ...valid, end_user_ref: '@' })
    await send(randomUUID(), valid)
    await send(without, valid)
    await send(seed.agents.organization, valid)
    expect(errors).toEqual([
      'unauthorized',
      'validation_error',
      'end_user_ref_must_be_opaque',
      'forbidden',
      'voice_configuration_not_found',
      'voice_infrastructure_unavailable',
    ])
  })
})

test('a voice whose provider has no usable key is 404 and takes no slot, unless a fallback can speak', async () => {
  const { organizationId } = voice.server.seed
  const key = await newKey()
  const started = async (fallbacks: { provider: 'local-flite' }[]) => {
    const agentId = await voice.newAgent()
    const settings = fallbacks.length === 0 ? {} : { tts: { fallbacks } }
    await addVoice(voice.server, { organizationId, projectId: null, agentId }, settings, 'openai')
    return voice.start({ agentId, key })
  }
  const refused = await started([])
  expect([refused.status, refused.body]).toEqual([
    404,
    {
      error: 'voice_configuration_not_found',
      message: 'The voice configuration of this agent has no usable credential for its provider.',
    },
  ])
  expect((await started([{ provider: 'local-flite' }])).status).toBe(200)
})

test('without a media server a start is 503 immediately', async () => {
  await using server = await startTestServer()
  const { organizationId, agents } = server.seed
  await addVoice(server, { organizationId, projectId: null, agentId: agents.organization })
  const path = `POST /api/v1/voice-agents/${agents.organization}/sessions`
  const answer = await server.call(path, { body: { participantIdentity: 'x' } })
  expect(answer.status).toBe(503)
  expect(answer.body).toMatchObject({ error: 'voice_infrastructure_unavailable' })
})
