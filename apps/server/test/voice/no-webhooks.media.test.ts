import { setTimeout as pause } from 'node:timers/promises'
import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { liveRooms } from '@troupe/media-servers/testing/live-rooms'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveCalls, openLiveCalls } from '../calls/live-calls.ts'
import { ANSWERS, answerTo, GREETING, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech', 'carrier')
const LONDON = '+442079460191'
const WITHOUT_MS = 61_000
const PAUSE_MS = 4_000
/** From the end of a conversation to its row. */
const ENDED = { timeout: 30_000, interval: 100 }

describe.skipIf(level.missing !== null)('without a single webhook', () => {
  let calls: LiveCalls
  beforeAll(async () => {
    calls = await openLiveCalls(level, SPOKEN_SETTINGS, { webhooks: false })
  })
  afterAll(() => calls?.[Symbol.asyncDispose]())

  test('a conversation lasts for more than a minute, and ends when its caller leaves', async () => {
    const { voice } = calls
    const { sessionId, caller } = await voice.join()
    await using _caller = caller
    const joinedAt = Date.now()
    expect(await recognise(await caller.ear.sentence(0), ANSWERS)).toBe(GREETING)
    const state = async () => (await voice.session(sessionId)).sessionState
    await expect.poll(state, { timeout: 5_000 }).toBe('active')
    let isOver = false
    while (!isOver) {
      isOver = Date.now() - joinedAt > WITHOUT_MS
      const spokenAt = await caller.say(await speak('what time is it'))
      const heard = await recognise(await caller.ear.sentence(spokenAt), ANSWERS)
      expect(heard).toBe(answerTo('what time is it'))
      // A caller who is silent for longer would be prompted.
      if (!isOver) await pause(PAUSE_MS)
    }
    expect(await voice.session(sessionId)).toMatchObject({ sessionState: 'active', losses: 0 })
    await caller[Symbol.asyncDispose]()
    const reason = async () => (await voice.session(sessionId)).endedReason
    await expect.poll(reason, ENDED).toBe('participant_left')
    expect(await state()).toBe('completed')
    await expect.poll(() => liveRooms(voice.media), ENDED).toEqual({})
  })

  test('a call ends when its callee hangs up', async () => {
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '4000' }
    await using carrier = await startCarrier('hang-up', keys)
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    expect((await call.answer).status).toBe(201)
    await carrier.ended
    const hungUpAt = Date.now()
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ sessionState: 'completed', endedReason: 'participant_left', chargedS: 60 },
    })
    expect(Date.now() - hungUpAt).toBeLessThan(ENDED.timeout)
  })
})
