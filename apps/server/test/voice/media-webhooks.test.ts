import { randomUUID } from 'node:crypto'
import { signWebhook } from '@troupe/livekit/testing/sign-webhook'
import type { TestAnswer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INTERNAL_TOKEN, openVoice, type VoiceSetting } from './voice-setting.ts'

const URL_PATH = '/internal/livekit/webhook'

let voice: VoiceSetting
beforeAll(async () => {
  voice = await openVoice()
})
afterAll(() => voice[Symbol.asyncDispose]())
beforeEach(() => voice.beat())

interface Room {
  id: string
  room: { name: string; sid: string }
}

async function startedRoom(): Promise<Room> {
  const { body } = (await voice.start({ key: await voice.newKey() })) as TestAnswer
  const { sessionId: id } = body as { sessionId: string }
  const room = voice.double.room(`vs_${id}`)
  return { id, room: { name: room?.name ?? '', sid: room?.sid ?? '' } }
}

/** Seconds of the clock, as the media server stamps its events. */
const seconds = () => String(Math.floor(voice.clock.now() / 1000))
const caller = { identity: 'caller', kind: 'STANDARD' }
const agentOf = ({ id }: Room) => ({ identity: `agent-${id}`, kind: 'AGENT' })
const tell = (event: string, { room }: Room, participant?: object, createdAt = seconds()) =>
  voice.webhook({ event, room, createdAt, ...(participant ? { participant } : {}) })

describe('a webhook', () => {
  const send = (payload: string, headers: Record<string, string>) =>
    voice.internal.inject({ method: 'POST', url: URL_PATH, payload, headers })

  test('is 401 unless the media server signed exactly its bytes', async () => {
    const { rawBody, authorization } = await signWebhook(voice.double, {
      id: 'EV_signed',
      event: 'room_finished',
    })
    const stranger = await signWebhook({ apiKey: 'devkey', apiSecret: 'x'.repeat(40) }, { id: 'EV_x' })
    const type = { 'content-type': 'application/webhook+json' }
    for (const [payload, headers] of [
      [rawBody, type],
      [`${rawBody} `, { ...type, authorization }],
      [stranger.rawBody, { ...type, authorization: stranger.authorization }],
      [rawBody, { ...type, authorization: `Bearer ${INTERNAL_TOKEN}` }],
    ] as const) {
      expect((await send(payload, headers)).statusCode).toBe(401)
    }
    expect((await send(rawBody, { ...type, authorization })).statusCode).toBe(200)
  })

  test('is the only route without a token on the internal listener', async () => {
    const { statusCode } = await voice.internal.inject({ method: 'GET', url: '/internal/voice/nothing' })
    expect(statusCode).toBe(401)
    const headers = { authorization: `Bearer ${INTERNAL_TOKEN}` }
    const known = await voice.internal.inject({ method: 'GET', url: '/internal/voice/nothing', headers })
    expect(known.statusCode).toBe(404)
  })

  test('is not served by the public listener', async () => {
    const { statusCode } = await voice.server.app.inject({ method: 'POST', url: URL_PATH, payload: '{}' })
    expect(statusCode).toBe(404)
  })

  test('about a foreign room changes nothing and is 200', async () => {
    expect(await tell('room_finished', { id: randomUUID(), room: { name: 'other', sid: 'RM_x' } })).toBe(200)
  })
})

describe('a session', () => {
  test('becomes active when its caller joins, not when its agent does', async () => {
    const started = await startedRoom()
    await tell('participant_joined', started, agentOf(started))
    expect((await voice.session(started.id)).sessionState).toBe('waiting')
    await tell('participant_joined', started, caller)
    expect(await voice.session(started.id)).toMatchObject({ sessionState: 'active', phaseDeadline: null })
  })

  test('continues when its caller leaves, and ends with the room', async () => {
    const started = await startedRoom()
    await tell('participant_joined', started, caller)
    await tell('participant_left', started, caller)
    expect(await voice.session(started.id)).toMatchObject({
      sessionState: 'active',
      leftAt: expect.any(Date),
    })
    await tell('room_finished', started)
    expect(await voice.session(started.id)).toMatchObject({
      sessionState: 'completed',
      endedReason: 'participant_left',
      roomGone: true,
    })
  })

  test('without a caller ends as join_timeout with its room', async () => {
    const started = await startedRoom()
    await tell('room_finished', started)
    expect(await voice.session(started.id)).toMatchObject({ endedReason: 'join_timeout' })
  })

  test('is not considered left if an older leave event arrives after a join', async () => {
    const started = await startedRoom()
    const early = seconds()
    voice.clock.advance(5_000)
    await tell('participant_joined', started, caller)
    await tell('participant_left', started, caller, early)
    expect((await voice.session(started.id)).leftAt).toBeNull()
    voice.clock.advance(5_000)
    await tell('participant_left', started, caller)
    voice.clock.advance(5_000)
    await tell('participant_joined', started, caller)
    expect((await voice.session(started.id)).leftAt).toBeNull()
  })

  test('ignores repeated events, events of another room with its name, and events after its end', async () => {
    const started = await startedRoom()
    const twice = { id: `EV_${randomUUID()}`, event: 'participant_joined', participant: caller }
    await voice.webhook({ ...twice, room: { ...started.room, sid: 'RM_of_another_room' } })
    expect((await voice.session(started.id)).sessionState).toBe('waiting')
    // The id is known now, so that the same event about the right room is a repetition.
    await voice.webhook({ ...twice, room: started.room })
    expect((await voice.session(started.id)).sessionState).toBe('waiting')
    await tell('room_finished', started)
    const ended = await voice.session(started.id)
    await tell('participant_joined', started, caller)
    await tell('participant_left', started, caller)
    await tell('room_finished', started)
    expect(await voice.session(started.id)).toEqual(ended)
  })
})

test('of a concurrent join and timeout one wins, and the other changes nothing', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    const started = await startedRoom()
    voice.clock.advance(305_000)
    const moves = [() => tell('participant_joined', started, caller), () => voice.perform('voiceSessions')]
    await Promise.all((round % 2 === 0 ? moves : moves.toReversed()).map((move) => move()))
    const { sessionState, endedReason } = await voice.session(started.id)
    outcomes.add(`${sessionState} ${endedReason}`)
    await voice.perform('voiceSessions')
    expect((await voice.session(started.id)).sessionState).toBe(sessionState)
    await voice.beat()
  }
  for (const outcome of outcomes) expect(['active null', 'completed join_timeout']).toContain(outcome)
})

test('concurrent ends by the room and by the reaper count as one', async () => {
  for (let round = 0; round < 10; round += 1) {
    const started = await startedRoom()
    await tell('participant_joined', started, caller)
    voice.clock.advance(3_600_000)
    await Promise.all([tell('room_finished', started), voice.perform('voiceSessions')])
    const ended = await voice.session(started.id)
    expect(['participant_left', 'timeout']).toContain(ended.endedReason)
    expect(ended.sessionState).toBe('completed')
    await Promise.all([tell('room_finished', started), voice.perform('voiceSessions')])
    expect(await voice.session(started.id)).toMatchObject({
      endedReason: ended.endedReason,
      endedAt: ended.endedAt,
    })
    await voice.beat()
  }
})
