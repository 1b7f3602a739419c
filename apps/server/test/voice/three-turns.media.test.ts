import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from './is-alive.ts'
import { type LiveVoice, openLiveVoice } from './live-voice.ts'
import { CEILINGS_MS, expectPromptTurns } from './prompt.ts'
import { ANSWERS, answerTo, GREETING, SAID, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech')

describe.skipIf(level.missing !== null)('a conversation over a real media server', () => {
  let voice: LiveVoice
  beforeAll(async () => {
    voice = await openLiveVoice(level, SPOKEN_SETTINGS)
  })
  afterAll(() => voice?.[Symbol.asyncDispose]())

  test('a caller is greeted and has three turns, all of which are heard and stored', async () => {
    const { sessionId, caller } = await voice.join()
    await using _caller = caller
    const joinedAt = Date.now()
    expect(await recognise(await caller.ear.sentence(0), ANSWERS)).toBe(GREETING)
    const greetedMs = (await caller.ear.firstSound(0)) - joinedAt
    process.stdout.write(`Join to first sound, in ms: ${greetedMs}\n`)
    expect(greetedMs).toBeLessThanOrEqual(CEILINGS_MS.greeting)
    await expect.poll(async () => (await voice.session(sessionId)).sessionState).toBe('active')

    const latencies: number[] = []
    const turns = SAID.slice(0, 3)
    for (const words of turns) {
      const spokenAt = await caller.say(await speak(words))
      latencies.push((await caller.ear.firstSound(spokenAt)) - spokenAt)
      const heard = await recognise(await caller.ear.sentence(spokenAt), ANSWERS)
      expect(heard, JSON.stringify(await voice.transcript(sessionId))).toBe(answerTo(words))
    }
    expectPromptTurns('End of speech to first sound', latencies)
    const said = async () => (await voice.transcript(sessionId)).map(({ role, text }) => `${role}: ${text}`)
    await expect.poll(async () => (await said()).length, { timeout: 10_000 }).toBe(7)
    expect((await said()).filter((line) => line.startsWith('user'))).toEqual(
      turns.map((words) => `user: ${words}`),
    )

    const [child = 0, ...others] = jobsIn(voice.worker.log())
    expect(others).toEqual([])
    expect(isAlive(child)).toBe(true)
    await caller[Symbol.asyncDispose]()
    await expect
      .poll(async () => (await voice.session(sessionId)).endedReason, { timeout: 40_000 })
      .toBe('participant_left')
    // Even a child that hangs is killed by then.
    await expect.poll(() => isAlive(child), { timeout: 35_000 }).toBe(false)
    // Neither the steps of the audio library, nor words and speakers.
    expect(voice.worker.log()).not.toMatch(/"level":20.*"lk-rtc"/)
    expect(voice.worker.log()).toContain('playout completed')
    expect(voice.worker.log()).not.toMatch(/what time is it|visitor/)
  })
})

/** The processes that have served jobs, by the log of their worker. */
function jobsIn(log: string): number[] {
  const pids = log.matchAll(/"pid":(\d+).*"jobID":/g)
  return [...new Set([...pids].map(([, pid]) => Number(pid)))]
}
