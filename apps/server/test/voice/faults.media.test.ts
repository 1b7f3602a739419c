import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startVoiceWorker, voiceEnvironment } from '@troupe/media-servers'
import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { liveRooms } from '@troupe/media-servers/testing/live-rooms'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import type { RoomCaller } from '@troupe/media-servers/testing/room-caller'
import { speak } from '@troupe/media-servers/testing/speak'
import { endByWorker } from '@troupe/voice'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LiveCalls, openLiveCalls } from '../calls/live-calls.ts'
import { isAlive } from './is-alive.ts'
import { ANSWERS, answerTo, GREETING, SPOKEN_SETTINGS } from './spoken.ts'
import { INTERNAL_TOKEN } from './voice-setting.ts'

const level = await mediaLevel('speech', 'carrier')
const LONDON = '+442079460191'
/** From the kill to an agent that listens again. */
const READY_AGAIN_MS = 15_000
/** The server judges nothing in this time after its start. */
const AFTER_BOOT_MS = 15_000
/** After this time, no session without media is active. */
const LOST_MS = 30_000
const PATIENT = { timeout: 40_000, interval: 100 }

describe.skipIf(level.missing !== null)('real processes that die', () => {
  let calls: LiveCalls
  let bootedAt: number
  beforeAll(async () => {
    // In the words of the greeting, which are in the recogniser's grammar.
    calls = await openLiveCalls(level, { ...SPOKEN_SETTINGS, resumeText: 'Hello, how can I help you?' })
    bootedAt = calls.voice.server.context.voice.connected?.bootedAt ?? 0
  })
  afterAll(() => calls?.[Symbol.asyncDispose]())
  // A test that failed may have left the worker dead.
  beforeEach(async () => {
    const { pid } = calls.voice.worker
    if (pid === undefined || !isAlive(pid)) await calls.voice.worker.start()
  })
  // No ghost call and no silent room, whichever process died.
  afterEach(() => expect.poll(() => liveRooms(calls.voice.media), PATIENT).toEqual({}))

  /** Ends a session of the browser, as its caller does. */
  async function endWeb(sessionId: string, caller: AsyncDisposable): Promise<void> {
    await caller[Symbol.asyncDispose]()
    await calls.voice.server.context.voice.parts.media.deleteRoom(`vs_${sessionId}`)
    await expect
      .poll(async () => (await calls.voice.session(sessionId)).sessionState, PATIENT)
      .toBe('completed')
  }

  /** A session whose agent has greeted its caller. */
  async function greeted() {
    const { sessionId, caller } = await calls.voice.join()
    await caller.ear.sentence(0)
    return { sessionId, caller }
  }

  /** Resolves with the milliseconds until the session has a ready agent of a later dispatch. */
  async function readyAgain(sessionId: string, since: number): Promise<number> {
    const isReady = async () => {
      const { agentReadyAt, dispatchAttempt } = await calls.voice.session(sessionId)
      return dispatchAttempt > 1 && agentReadyAt !== null
    }
    await expect.poll(isReady, PATIENT).toBe(true)
    return Date.now() - since
  }

  /** The caller hears the next agent say that it is back, and gets an answer from it. */
  async function isServedAgain(caller: RoomCaller, since: number): Promise<void> {
    const resumed = await caller.ear.sentence(since)
    process.stdout.write(`Audible ${(await caller.ear.firstSound(since)) - since} ms after\n`)
    expect(await recognise(resumed, ANSWERS)).toBe(GREETING)
    const spokenAt = await caller.say(await speak('what time is it'))
    const heard = await recognise(await caller.ear.sentence(spokenAt), ANSWERS)
    expect(heard).toBe(answerTo('what time is it'))
  }

  test('the child of a session: another one takes over, audibly for the caller', async () => {
    const { sessionId, caller } = await greeted()
    const killedAt = Date.now()
    for (const pid of jobsOf(calls.voice.worker.pid)) process.kill(pid, 'SIGKILL')
    const ms = await readyAgain(sessionId, killedAt)
    process.stdout.write(`Ready ${ms} ms after its child was killed\n`)
    expect(ms).toBeLessThan(READY_AGAIN_MS)
    await isServedAgain(caller, killedAt + 500)
    expect(await calls.voice.session(sessionId)).toMatchObject({ sessionState: 'active', losses: 1 })
    await endWeb(sessionId, caller)
  })

  test('the worker of a session: another one takes over, audibly for the caller, and no child is left behind', async () => {
    const { sessionId, caller } = await greeted()
    await pause(Math.max(0, bootedAt + AFTER_BOOT_MS - Date.now()))
    const orphans = jobsOf(calls.voice.worker.pid)
    expect(orphans.length).toBeGreaterThan(0)
    await using _second = await anotherWorker(calls)
    const killedAt = Date.now()
    await calls.voice.worker.kill()
    const ms = await readyAgain(sessionId, killedAt)
    process.stdout.write(`Ready ${ms} ms after its worker was killed\n`)
    expect(ms).toBeLessThan(READY_AGAIN_MS)
    // Until it is replaced, the remaining job continues to speak.
    await isServedAgain(caller, killedAt + ms - 300)
    await endWeb(sessionId, caller)
    await expect.poll(() => orphans.filter(isAlive), PATIENT).toEqual([])
    await calls.voice.worker.start()
  })

  test('a stopping worker hands over its session, and the caller remains connected', async () => {
    await using second = await anotherWorker(calls)
    const { sessionId, caller } = await greeted()
    const { workerId } = await calls.voice.session(sessionId)
    const [stops, stays] =
      pidOf(workerId) === second.pid ? [second, calls.voice.worker] : [calls.voice.worker, second]
    const stoppedAt = Date.now()
    const stopped = stops.stop()
    await readyAgain(sessionId, stoppedAt)
    const { workerId: next, ...row } = await calls.voice.session(sessionId)
    expect(pidOf(next)).toBe(stays.pid)
    expect(row).toMatchObject({ sessionState: 'active', losses: 0, leftAt: null })
    await isServedAgain(caller, stoppedAt + 500)
    await stopped
    await endWeb(sessionId, caller)
    if (stops === calls.voice.worker) await stops.start()
  })

  test('after Redis restarts empty, the trunk is provisioned again, and the next call is answered', async () => {
    const { media } = calls.voice
    await using phone = new Phone()
    const rtp = String(await phone.open())
    await using first = await startCarrier('hang-up', { rtp, ringing: '4000' })
    const on = await calls.trunk(first.address)
    const before = calls.place(on, LONDON)
    expect((await before.answer).status).toBe(201)
    await first.ended
    await calls.expectNothingLeft(before)
    await media.redis.kill()
    await media.redis.start()
    await using second = await startCarrier(
      'hang-up',
      { rtp, ringing: '4000' },
      Number(first.address.split(':')[1]),
    )
    // LiveKit and the bridge look for Redis again by themselves. Until they have it, calls are 503.
    const giveUpAt = Date.now() + PATIENT.timeout
    let next = calls.place(on, LONDON)
    while ((await next.answer).status === 503 && Date.now() < giveUpAt) {
      await pause(500)
      next = calls.place(on, LONDON)
    }
    expect(await next.answer).toMatchObject({ status: 201 })
    await second.ended
    expect(await calls.expectNothingLeft(next)).toMatchObject({
      endedReason: 'participant_left',
      chargedS: 60,
    })
  })

  test('Redis while a caller talks: the next turn is answered, or the session ends as lost within half a minute', async () => {
    const { media } = calls.voice
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    await media.redis.kill()
    await media.redis.start()
    const restartedAt = Date.now()
    const ended = async () => (await calls.voice.session(sessionId)).endedReason
    const spokenAt = await caller.say(await speak('what time is it'))
    const answer = await caller.ear.sentence(spokenAt).catch(() => null)
    const heard = answer && (await recognise(answer, ANSWERS))
    process.stdout.write(`After Redis came back: ${heard ?? (await ended())}\n`)
    if (heard === null) {
      const leftMs = Math.max(1, restartedAt + LOST_MS - Date.now())
      await expect.poll(ended, { timeout: leftMs }).toBe('media_lost')
      return
    }
    expect(heard).toBe(answerTo('what time is it'))
    // Long enough for every round that polls the rooms.
    await pause(Math.max(0, restartedAt + LOST_MS - Date.now()))
    if ((await ended()) === null) {
      const againAt = await caller.say(await speak('hello there'))
      expect(await recognise(await caller.ear.sentence(againAt), ANSWERS)).toBe(answerTo('hello there'))
      await caller[Symbol.asyncDispose]()
      await expect.poll(ended, PATIENT).toBe('participant_left')
    } else expect(await ended()).toBe('media_lost')
    // The media server has the room in its memory only: it may answer a deletion with 500.
    await expect.poll(async () => (await calls.voice.session(sessionId)).roomGone, PATIENT).toBe(true)
  })

  test('Redis while a caller talks: a session that the server ends disconnects its caller', async () => {
    const { media, server } = calls.voice
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    await media.redis.kill()
    await media.redis.start()
    const { parts } = server.context.voice
    await expect.poll(() => parts.media.health().rooms, PATIENT).toBe(true)
    await endByWorker(parts, await calls.voice.session(sessionId), { reason: 'agent_ended', usage: [] })
    const endedAt = Date.now()
    await expect.poll(() => caller.room.isConnected, { timeout: LOST_MS }).toBe(false)
    process.stdout.write(`The caller was disconnected ${Date.now() - endedAt} ms after the end\n`)
    await expect.poll(async () => (await calls.voice.session(sessionId)).roomGone, PATIENT).toBe(true)
  })

  test('the media server during a call: the call ends, its room is purged, and the next one is answered', async () => {
    const { media } = calls.voice
    await using phone = new Phone()
    const rtp = String(await phone.open())
    await using carrier = await startCarrier('answer', { rtp, ringing: '4000' })
    const on = await calls.trunk(carrier.address)
    const call = calls.place(on, LONDON)
    expect((await call.answer).status).toBe(201)
    await media.livekit.kill()
    await media.livekit.start()
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({ answeredAt: expect.any(Date) })
    await using after = await startCarrier(
      'hang-up',
      { rtp, ringing: '4000' },
      Number(carrier.address.split(':')[1]),
    )
    const hasWorker = () =>
      calls.voice.server.context.database.voice.workers.hasRoom(new Date(Date.now() - 10_000))
    await expect.poll(hasWorker, PATIENT).toBe(true)
    await expect
      .poll(() => calls.voice.server.context.voice.parts.media.health(), PATIENT)
      .toMatchObject({
        ...{ rooms: true, calls: true },
      })
    const next = calls.place(on, '+442079460192')
    expect(await next.answer).toMatchObject({ status: 201 })
    await after.ended
    await calls.expectNothingLeft(next)
  })
})

/** A second voice worker besides that of the setting, once the server knows it. */
async function anotherWorker({ voice: { media, server } }: LiveCalls) {
  const internalPort = server.context.voice.connected?.config.internal.port ?? 0
  return startVoiceWorker(voiceEnvironment(media, { internalPort, internalToken: INTERNAL_TOKEN }))
}

/** The process in the id of a worker, `host:pid:random`. */
function pidOf(workerId: string | null): number {
  return Number(workerId?.split(':').at(-2))
}

/** The children of a worker that serve sessions, or are idle. */
function jobsOf(parent: number | undefined): number[] {
  const isJob = (pid: number) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const program = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return status.includes(`PPid:\t${parent}\n`) && program.includes('job_proc_lazy_main')
    } catch {
      // It has ended since the folder was read.
      return false
    }
  }
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isJob(pid))
}
