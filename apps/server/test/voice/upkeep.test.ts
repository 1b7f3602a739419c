import type { TestAnswer } from '@troupe/test-kit/server'
import type { VoiceSessionRecord } from '@troupe/voice'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVoice, type VoiceSetting } from './voice-setting.ts'

let voice: VoiceSetting
beforeEach(async () => {
  voice = await openVoice()
  // Nothing is judged in the first 15 seconds after a boot.
  voice.clock.advance(16_000)
  await voice.beat()
})
afterEach(() => voice[Symbol.asyncDispose]())

const now = () => new Date(voice.clock.now())
const store = () => voice.server.context.database.voice.sessions
const dispatchesOf = ({ roomName }: VoiceSessionRecord) => voice.double.room(roomName)?.dispatches ?? []

/** A session with its caller and its agent in the room. */
async function activeSession(): Promise<VoiceSessionRecord> {
  const { body } = (await voice.start({ key: await voice.newKey() })) as TestAnswer
  const session = await voice.session((body as { sessionId: string }).sessionId)
  await store().accepted(session, 'worker-1', now())
  await store().ready(session, now())
  await store().joined(session, now())
  return voice.session(session.id)
}

/** A session whose worker has sent heartbeats for longer than the grace time after a boot or a gap. */
async function judgedSession(): Promise<VoiceSessionRecord> {
  const session = await activeSession()
  await passWithBeats(20_000, session)
  return voice.session(session.id)
}

/** Time passes in which the worker reports its sessions every two seconds. */
async function passWithBeats(ms: number, ...sessions: VoiceSessionRecord[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_000) {
    voice.clock.advance(Math.min(2_000, ms - passed))
    await voice.beat({ sessionIds: sessions.map(({ id }) => id) })
    await voice.perform('voiceWorkers')
  }
}

describe('the end of the time', () => {
  test('closes a session of one hour as completed by timeout, with its room', async () => {
    const session = await activeSession()
    voice.clock.moveTo(session.expiresAt.getTime() - 1)
    await voice.beat({ sessionIds: [session.id] })
    await voice.perform('voiceSessions')
    expect((await voice.session(session.id)).sessionState).toBe('active')
    expect(voice.double.room(session.roomName)).toBeDefined()
    voice.clock.advance(1)
    await voice.perform('voiceSessions')
    expect(await voice.session(session.id)).toMatchObject({
      sessionState: 'completed',
      endedReason: 'timeout',
      endedAt: session.expiresAt,
      roomGone: true,
    })
    expect(voice.double.room(session.roomName)).toBeUndefined()
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(3_600_000)
  })

  test('is the limit of the deployment if that is shorter', async () => {
    await using short = await openVoice({ VOICE_MAX_SESSION_SECONDS: '20' })
    const { body } = await short.start()
    const { sessionId, token } = body as { sessionId: string; token: string }
    const { createdAt, expiresAt } = await short.session(sessionId)
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(20_000)
    // The token of the specification, regardless of the duration of the session.
    const { exp, nbf } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    expect(exp - nbf).toBe(3_600)
  })

  test('after an hour with heartbeats every two seconds, the session has never changed its worker', async () => {
    const session = await activeSession()
    await passWithBeats(600_000, session)
    expect(await voice.session(session.id)).toMatchObject({ dispatchAttempt: 1, sessionState: 'active' })
  })
})

describe('a lost worker', () => {
  test('is replaced after ten seconds without a heartbeat, and the token of its late job is refused', async () => {
    const session = await judgedSession()
    const [former] = dispatchesOf(session)
    await voice.watch(9_000)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(1)
    await voice.watch(1_001)
    const next = await voice.session(session.id)
    expect(next).toMatchObject({
      sessionState: 'active',
      dispatchAttempt: 2,
      losses: 1,
      workerId: null,
      agentReadyAt: null,
      sessionTokenHash: null,
    })
    const dispatches = dispatchesOf(session)
    expect(dispatches).toHaveLength(1)
    expect(dispatches[0]?.metadata).not.toBe(former?.metadata)
    expect(next.dispatchId).toBe(dispatches[0]?.id)
  })

  test('is replaced four seconds after the media server has reported that the agent left', async () => {
    const session = await judgedSession()
    await voice.watch(2_000)
    await store().agentLeft(session, now())
    await voice.watch(4_001)
    expect(await voice.session(session.id)).toMatchObject({ dispatchAttempt: 2, losses: 1 })
  })

  test('is not considered lost if the agent left but the worker still reports the session', async () => {
    const session = await activeSession()
    voice.clock.advance(2_000)
    await store().agentLeft(session, now())
    await passWithBeats(8_000, session)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(1)
  })

  test('ends the session as agent_unavailable the fourth time', async () => {
    const session = await judgedSession()
    for (let loss = 1; loss <= 3; loss += 1) {
      await voice.watch(10_001)
      expect(await voice.session(session.id)).toMatchObject({ losses: loss, sessionState: 'active' })
      await store().accepted(session, 'worker-1', now())
      await store().ready(session, now())
    }
    await voice.watch(10_001)
    expect(await voice.session(session.id)).toMatchObject({
      sessionState: 'failed',
      endedReason: 'agent_unavailable',
    })
    expect(voice.double.room(session.roomName)).toBeUndefined()
  })

  test('is not judged while the media server is down', async () => {
    const session = await judgedSession()
    await voice.double.stop()
    await voice.connected.livekit.probe()
    await voice.connected.livekit.probe()
    await voice.watch(12_000)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(1)
    await voice.double.listen()
    await voice.connected.livekit.probe()
    await voice.watch(2_000)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(2)
  })

  test('is not judged for 15 seconds after an outage in which no heartbeat could be stored', async () => {
    const session = await judgedSession()
    // The database was unavailable, or the machine was suspended: neither rounds nor heartbeats.
    voice.clock.advance(60_000)
    await voice.perform('voiceWorkers')
    await voice.watch(14_000)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(1)
    await passWithBeats(20_000, session)
    expect((await voice.session(session.id)).dispatchAttempt).toBe(1)
    await voice.watch(10_001)
    expect(await voice.session(session.id)).toMatchObject({ dispatchAttempt: 2, losses: 1 })
  })

  test('is detected once by two concurrent watchdogs', async () => {
    const session = await judgedSession()
    await voice.watch(8_000)
    voice.clock.advance(2_001)
    await Promise.all([voice.perform('voiceWorkers'), voice.perform('voiceWorkers')])
    expect(await voice.session(session.id)).toMatchObject({ dispatchAttempt: 2, losses: 1 })
  })
})

describe('a lost room', () => {
  test('ends the session after two negative answers at least eight seconds apart', async () => {
    const session = await activeSession()
    voice.double.loseRoom(session.roomName)
    await passWithBeats(12_000, session)
    await voice.perform('voiceSessions')
    expect(await voice.session(session.id)).toMatchObject({ sessionState: 'active', missedProbeAt: now() })
    await passWithBeats(7_000, session)
    await voice.perform('voiceSessions')
    expect((await voice.session(session.id)).sessionState).toBe('active')
    await passWithBeats(1_000, session)
    await voice.perform('voiceSessions')
    expect(await voice.session(session.id)).toMatchObject({
      sessionState: 'failed',
      endedReason: 'media_lost',
      roomGone: true,
    })
  })

  test('after its caller left counts as ended by the caller', async () => {
    const session = await activeSession()
    voice.clock.advance(1_000)
    await store().left(session, now())
    voice.double.loseRoom(session.roomName)
    for (const ms of [12_000, 8_000]) {
      await passWithBeats(ms, session)
      await voice.perform('voiceSessions')
    }
    expect(await voice.session(session.id)).toMatchObject({ endedReason: 'participant_left' })
  })

  test('is not assumed while the media server does not answer, or if a positive answer comes in between', async () => {
    const session = await activeSession()
    await passWithBeats(12_000, session)
    voice.double.fault('ListDispatch', { kind: 'status', status: 500, code: 'internal', message: 'busy' })
    for (let round = 0; round < 3; round += 1) {
      await voice.perform('voiceSessions')
      await passWithBeats(8_000, session)
    }
    voice.double.fault('ListDispatch', null)
    await voice.perform('voiceSessions')
    expect(await voice.session(session.id)).toMatchObject({ sessionState: 'active', missedProbeAt: null })
  })
})
