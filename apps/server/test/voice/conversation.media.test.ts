import { setTimeout as pause } from 'node:timers/promises'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { describe, expect, test } from 'vitest'
import { openLiveVoice } from './live-voice.ts'

const level = await mediaLevel('speech')
const SAID = ['hello there', 'please stop now', 'good bye', 'what time is it']
const GREETING = 'hello how can i help you'
const STORY =
  'Once upon a time there was a small house near the river. An old man lived there with his dog. Every morning they walked along the water and counted the boats. One day there was no boat at all.'
/** The design's target is 700 ms; a busy machine doubles latencies. */
const BARGE_IN_LIMIT_MS = 2_000

describe.skipIf(level.missing !== null)('an agent that is interrupted in a room', () => {
  test('it falls silent immediately, and the session keeps the spoken text, not the written one', async () => {
    await using voice = await openLiveVoice(level, {
      stt: { grammar: SAID },
      turn: { detector: 'vad' },
      filler: { enabled: false },
    })
    const { organization } = voice.server.seed.agents
    const config = { instructions: `[[reply: ${STORY}]]` }
    const changed = await voice.server.call(`PUT /api/v1/agents/${organization}`, { body: { config } })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const [hello, stop] = [await speak('hello there'), await speak('please stop now')]
    const { sessionId, caller } = await voice.join()
    await using _caller = caller
    const greeting = await caller.ear.sentence(0).catch((error: Error) => {
      throw new Error(`${error.message}\n${voice.worker.log()}`)
    })
    expect(await recognise(greeting, [GREETING, ...SAID])).toBe(GREETING)
    const asked = await caller.say(hello)
    const begun = await caller.ear.firstSound(asked)
    await pause(2_500)
    const interruptedAt = Date.now()
    await caller.say(stop)
    await expect.poll(() => Date.now() - caller.ear.lastSound(), { timeout: 10_000 }).toBeGreaterThan(300)
    const silentAfter = caller.ear.lastSound() - interruptedAt
    process.stdout.write(
      `First sound after ${begun - asked} ms; silent ${silentAfter} ms after the interruption began\n`,
    )
    expect(silentAfter).toBeLessThan(BARGE_IN_LIMIT_MS)
    await expect
      .poll(async () => (await voice.transcript(sessionId)).length, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(4)
    const transcript = await voice.transcript(sessionId)
    const [question] = transcript.filter(({ role }) => role === 'user')
    const [, answer] = transcript.filter(({ role }) => role === 'assistant')
    expect(question).toEqual({ role: 'user', text: 'hello there' })
    expect(STORY.startsWith(answer?.text.slice(0, 20) ?? 'nothing'), JSON.stringify(transcript)).toBe(true)
    expect(answer?.text.length).toBeLessThan(STORY.length)
  })
})
