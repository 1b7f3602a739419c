import type { TestAnswer } from '@troupe/test-kit/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVoice, type VoiceSetting } from './voice-setting.ts'

let voice: VoiceSetting
beforeEach(async () => {
  voice = await openVoice()
})
afterEach(() => voice[Symbol.asyncDispose]())

const UNAVAILABLE = {
  error: 'voice_infrastructure_unavailable',
  message: 'Voice is temporarily unavailable. Try again shortly.',
}
const idOf = ({ body }: TestAnswer) => (body as { sessionId: string }).sessionId

/** The session of the only room that the media server was asked to create, by the last request. */
async function lastSession() {
  const { body } = voice.double.requests.findLast(({ method }) => method === 'CreateRoom') ?? {}
  return voice.session(String(body?.name).replace('vs_', ''))
}

test('a room that is definitely refused releases the slot, and nothing is deleted', async () => {
  voice.double.fault('CreateRoom', { kind: 'status', status: 400, code: 'invalid_argument', message: 'no' })
  const ids: string[] = []
  const { sessions } = voice.server.context.database.voice
  const openWeb = sessions.openWeb
  sessions.openWeb = (session, limits) => {
    ids.push(session.id)
    return openWeb(session, limits)
  }
  const answer = await voice.start()
  expect([answer.status, answer.body]).toEqual([503, UNAVAILABLE])
  expect(await voice.session(ids[0] ?? '')).toMatchObject({
    sessionState: 'failed',
    endedReason: 'start_failed',
    roomGone: true,
  })
})

test('deletions of a room whose creation timed out are repeated until it can no longer appear', async () => {
  voice.double.fault('CreateRoom', { kind: 'black_hole' })
  const answer = await voice.start()
  expect([answer.status, answer.body]).toEqual([503, UNAVAILABLE])
  const session = await lastSession()
  expect(session).toMatchObject({ sessionState: 'failed', endedReason: 'start_failed', roomGone: false })
  expect(voice.double.rooms()).toHaveLength(1)
  await voice.perform('voiceSessions')
  expect(voice.double.rooms()).toEqual([])
  expect((await voice.session(session.id)).roomGone).toBe(false)
  voice.clock.advance(15_000)
  await voice.perform('voiceSessions')
  expect((await voice.session(session.id)).roomGone).toBe(true)
})

test('a start whose process died after it created the room is undone after 15 seconds', async () => {
  const { stores } = voice.server.context.voice.parts
  const toWaiting = stores.sessions.toWaiting
  stores.sessions.toWaiting = () => Promise.reject(new Error('the process died'))
  expect((await voice.start()).status).toBe(500)
  stores.sessions.toWaiting = toWaiting
  const session = await lastSession()
  expect(session.sessionState).toBe('starting')
  voice.clock.advance(14_999)
  await voice.perform('voiceSessions')
  expect((await voice.session(session.id)).sessionState).toBe('starting')
  voice.clock.advance(1)
  await voice.perform('voiceSessions')
  expect(await voice.session(session.id)).toMatchObject({
    sessionState: 'failed',
    endedReason: 'start_failed',
    roomGone: true,
  })
  expect(voice.double.rooms()).toEqual([])
})

describe('a 503', () => {
  // It measures time, which other work on the machine affects.
  test('is sent within milliseconds once two probes have found the media server down', {
    retry: 2,
  }, async () => {
    await voice.double.stop()
    await voice.connected.livekit.probe()
    await voice.connected.livekit.probe()
    await voice.start()
    const times: number[] = []
    for (let sent = 0; sent < 5; sent += 1) {
      const began = performance.now()
      expect((await voice.start()).status).toBe(503)
      times.push(performance.now() - began)
    }
    expect(Math.min(...times)).toBeLessThan(10)
    await voice.double.listen()
    await voice.connected.livekit.probe()
    expect((await voice.start()).status).toBe(200)
  })

  // It measures time, which other work on the machine affects.
  test('is sent within 2.1 seconds when the media server is silent', { retry: 2 }, async () => {
    voice.double.fault('CreateRoom', { kind: 'black_hole' })
    const began = performance.now()
    expect((await voice.start()).status).toBe(503)
    expect(performance.now() - began).toBeLessThan(2_100)
  })

  test('is sent within 2.1 seconds before a probe has failed, and names no host', async () => {
    await voice.double.stop()
    const began = performance.now()
    const answer = await voice.start()
    expect(performance.now() - began).toBeLessThan(2_100)
    expect([answer.status, answer.body]).toEqual([503, UNAVAILABLE])
    expect(answer.headers['retry-after']).toBe('5')
  })
})

describe('an agent that does not become ready', () => {
  test('is dispatched two more times, for ten seconds each, and then the session fails', async () => {
    // Heartbeats before the boot could not be received.
    await voice.watch(20_000)
    await voice.beat()
    const id = idOf(await voice.start())
    const room = () => voice.double.room(`vs_${id}`)
    const tokens = [room()?.dispatches[0]?.metadata]
    for (const attempt of [2, 3]) {
      await voice.watch(10_001)
      expect(await voice.session(id)).toMatchObject({ sessionState: 'waiting', dispatchAttempt: attempt })
      expect(room()?.dispatches).toHaveLength(1)
      tokens.push(room()?.dispatches[0]?.metadata)
    }
    expect(new Set(tokens).size).toBe(3)
    await voice.watch(10_001)
    expect(await voice.session(id)).toMatchObject({
      sessionState: 'failed',
      endedReason: 'agent_unavailable',
      roomGone: true,
    })
    expect(room()).toBeUndefined()
  })

  test('is left alone when it is ready in time', async () => {
    await voice.watch(20_000)
    await voice.beat()
    const session = await voice.session(idOf(await voice.start()))
    const { sessions } = voice.server.context.database.voice
    await sessions.accepted(session, 'worker-1', new Date(voice.clock.now()))
    await sessions.ready(session, new Date(voice.clock.now()))
    voice.clock.advance(9_000)
    await voice.beat({ sessionIds: [session.id] })
    await voice.watch(9_000)
    expect(await voice.session(session.id)).toMatchObject({ dispatchAttempt: 1, sessionState: 'waiting' })
  })
})

test('the deletion of a room is retried in the next round', async () => {
  const session = await voice.session(idOf(await voice.start()))
  voice.double.fault('DeleteRoom', { kind: 'status', status: 503, code: 'unavailable', message: 'no' })
  voice.clock.advance(305_000)
  await voice.perform('voiceSessions')
  expect(await voice.session(session.id)).toMatchObject({
    endedReason: 'join_timeout',
    roomGone: false,
  })
  voice.double.fault('DeleteRoom', null)
  await voice.perform('voiceSessions')
  expect((await voice.session(session.id)).roomGone).toBe(true)
  expect(voice.double.rooms()).toEqual([])
})
