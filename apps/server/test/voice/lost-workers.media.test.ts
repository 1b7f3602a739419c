import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaServerProcess } from '@troupe/media-servers'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { recognise } from '@troupe/media-servers/testing/recognise'
import type { RoomCaller } from '@troupe/media-servers/testing/room-caller'
import { speak } from '@troupe/media-servers/testing/speak'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveVoice, openLiveVoice } from './live-voice.ts'
import { ANSWERS, answerTo, GREETING, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech')

const RESUMED = 'tell me that again'
/** The server judges no worker before, because they may only not have reached it yet. */
const AFTER_BOOT_MS = 16_000
/** From a loss until the caller hears an agent again. */
const SILENCE_MS = 15_000

describe.skipIf(level.missing !== null)('a conversation that loses its worker', () => {
  let voice: LiveVoice
  let holder: MediaServerProcess
  let spare: MediaServerProcess
  beforeAll(async () => {
    const settings = { ...SPOKEN_SETTINGS, resumeText: 'Tell me that again.' }
    voice = await openLiveVoice(level, settings, {}, { VOICE_DRAIN_TIMEOUT_S: '2' })
    holder = voice.worker
    await pause(AFTER_BOOT_MS)
  })
  afterAll(() => voice?.[Symbol.asyncDispose]())

  /** A caller whom the only worker has greeted; another worker has come since. */
  async function greeted(): Promise<{ sessionId: string; caller: RoomCaller }> {
    const joined = await voice.join()
    expect(await recognise(await joined.caller.ear.sentence(0), ANSWERS)).toBe(GREETING)
    spare = await voice.startWorker()
    return joined
  }

  /** The caller hears an agent in time, who has the conversation, and the session ends as the caller leaves. */
  async function isServedAgain(caller: RoomCaller, sessionId: string, lostAt: number): Promise<void> {
    expect(await recognise(await caller.ear.sentence(lostAt), [...ANSWERS, RESUMED])).toBe(RESUMED)
    const spokenAt = await caller.say(await speak('what time is it'))
    const heard = await recognise(await caller.ear.sentence(spokenAt), ANSWERS)
    expect(heard, JSON.stringify(await voice.transcript(sessionId))).toBe(answerTo('what time is it'))
    await caller[Symbol.asyncDispose]()
    const ended = async () => (await voice.session(sessionId)).endedReason
    await expect.poll(ended, { timeout: 40_000 }).toBe('participant_left')
    const { livekit } = voice.server.context.voice.connected ?? {}
    await expect.poll(() => livekit?.isRoomAlive(`vs_${sessionId}`), { timeout: 10_000 }).toBe(false)
    holder = spare
  }

  test('a worker that is killed is replaced, and the caller hears the next one within 15 seconds', async () => {
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    const lostAt = Date.now()
    await holder.kill()
    const silence = (await caller.ear.firstSound(lostAt + 1_000, 2 * SILENCE_MS)) - lostAt
    process.stdout.write(`A killed worker: audible again after ${silence} ms\n`)
    expect(silence).toBeLessThan(SILENCE_MS)
    await isServedAgain(caller, sessionId, lostAt + 1_000)
    expect((await voice.session(sessionId)).dispatchAttempt).toBe(2)
  })

  test('a job that is killed is taken over, and the caller hears an agent within 15 seconds', async () => {
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    const jobs = await jobsOf(holder)
    expect(jobs).not.toEqual([])
    const lostAt = Date.now()
    for (const pid of jobs) process.kill(pid, 'SIGKILL')
    const silence = (await caller.ear.firstSound(lostAt + 1_000, 2 * SILENCE_MS)) - lostAt
    process.stdout.write(`A killed job: audible again after ${silence} ms\n`)
    expect(silence).toBeLessThan(SILENCE_MS)
    await isServedAgain(caller, sessionId, lostAt + 1_000)
    await holder.kill()
  })

  test('a worker that is stopped hands its conversation over, and the caller stays', async () => {
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    const stoppedAt = Date.now()
    process.kill(holder.pid ?? 0, 'SIGTERM')
    await isServedAgain(caller, sessionId, stoppedAt)
  })
})

/** The processes of a worker that hold its jobs, or wait for one. */
async function jobsOf({ pid }: MediaServerProcess): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent !== pid) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('job_proc')) found.push(Number(name))
  }
  return found
}
