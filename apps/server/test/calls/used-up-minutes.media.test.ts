import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWERS, answerTo, GREETING, SPOKEN_SETTINGS } from '../voice/spoken.ts'
import { type LiveCalls, openLiveCalls } from './live-calls.ts'

const level = await mediaLevel('speech', 'carrier')
const LONDON = '+442079460191'
const OVER = 'our time is up goodbye'
const HEARD = [...ANSWERS, OVER]
/** The margin between the end of the call and of its minute. */
const MARGIN_MS = 5_000

describe.skipIf(level.missing !== null)('a call with one minute left', () => {
  let calls: LiveCalls
  beforeAll(async () => {
    calls = await openLiveCalls(level, {
      ...SPOKEN_SETTINGS,
      budgetText: 'Our time is up. Goodbye.',
      silence: { afterS: 60 },
    })
  })
  afterAll(() => calls?.[Symbol.asyncDispose]())

  test('is announced by the agent and ends before its minute, which is charged; the next one is refused', async () => {
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '3000' }
    await using carrier = await startCarrier('answer', keys)
    const on = await calls.trunk(carrier.address, { minutes: 1 })
    const call = calls.place(on, LONDON)
    expect((await call.answer).status).toBe(201)
    expect(await recognise(await phone.ear.sentence(0), HEARD)).toBe(GREETING)
    const spokenAt = await phone.say(await speak('what time is it'))
    const reply = await phone.ear.sentence(spokenAt)
    expect(await recognise(reply, HEARD)).toBe(answerTo('what time is it'))

    const farewell = await phone.ear.sentence(Date.now(), 900, 60_000)
    expect(await recognise(farewell, HEARD)).toBe(OVER)
    await carrier.ended
    const row = await calls.expectNothingLeft(call)
    expect(row).toMatchObject({ sessionState: 'completed', endedReason: 'budget_exhausted', chargedS: 60 })
    const answeredMs = Number(row.endedAt) - Number(row.answeredAt)
    process.stdout.write(`Ended ${answeredMs} ms after the answer\n`)
    expect(answeredMs).toBeLessThan(60_000)
    expect(answeredMs).toBeGreaterThan(60_000 - MARGIN_MS - 1_000)
    const said = await calls.voice.transcript(row.id)
    expect(said.at(-1)).toEqual({ role: 'assistant', text: 'Our time is up. Goodbye.' })

    expect(await calls.place(on, LONDON).answer).toMatchObject({
      status: 429,
      body: { error: 'budget_exceeded' },
    })
  })
})
