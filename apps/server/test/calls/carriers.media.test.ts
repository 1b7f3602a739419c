import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SPOKEN_SETTINGS } from '../voice/spoken.ts'
import { type LiveCalls, openLiveCalls } from './live-calls.ts'

const level = await mediaLevel('speech', 'carrier')
const LONDON = '+442079460191'

describe.skipIf(level.missing !== null)('a carrier and its callee', () => {
  let calls: LiveCalls
  beforeAll(async () => {
    calls = await openLiveCalls(level, SPOKEN_SETTINGS)
  })
  afterAll(() => calls?.[Symbol.asyncDispose]())

  test('that hangs up early ends the call, which costs one unit of minutes', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('hang-up', {
      rtp: String(await phone.open()),
      ringing: '4000',
    })
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    expect((await call.answer).status).toBe(201)
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ sessionState: 'completed', endedReason: 'participant_left', chargedS: 60 },
    })
  })

  test('gets CANCEL when the client disconnects while it rings', async () => {
    await using carrier = await startCarrier('ring')
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    await carrier.invited
    call.leave()
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ sessionState: 'failed', endedReason: 'canceled', chargedS: 0 },
    })
  })

  test('whose answer crosses the CANCEL gets ACK and BYE, and the call costs nothing', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('late-answer', { rtp: String(await phone.open()) })
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    await carrier.invited
    call.leave()
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ sessionState: 'failed', endedReason: 'canceled', answeredAt: null, chargedS: 0 },
    })
  })

  test('that is silent fails the call at the end of the ringing', async () => {
    const call = calls.place(await calls.trunk(`127.0.0.1:${await freePort()}`), LONDON)
    expect(await call.answer).toMatchObject({ status: 502, body: { error: 'call_failed' } })
    // The ringing ends before SIP gives up on the carrier after 32 seconds.
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ failureReason: 'no_answer', sipStatusCode: null, chargedS: 0 },
    })
  })

  test.for([
    ['488 Not Acceptable Here', 'media_mismatch', 'No common codec with the carrier (SIP 488).'],
    ['480 Temporarily Unavailable', 'no_answer', 'The called party is temporarily unavailable (SIP 480).'],
    ['503 Service Unavailable', 'carrier_error', 'The carrier failed the call (SIP 503).'],
  ] as const)('that answers %s fails the call as %s', async ([final, failureReason, message]) => {
    await using carrier = await startCarrier('final', { final })
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    expect(await call.answer).toMatchObject({ status: 502, body: { error: 'call_failed', message } })
    await carrier.ended
    const sipStatusCode = Number(final.slice(0, 3))
    expect(await calls.expectNothingLeft(call)).toMatchObject({ failureReason, sipStatusCode, chargedS: 0 })
  })

  // RFC 3960: before an answer, a carrier sends a ring tone or "the number you have dialed" as audio behind a 183.
  test('that plays an announcement before it refuses did not answer', async () => {
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '1500', final: '480 Temporarily Unavailable' }
    await using carrier = await startCarrier('early-media-final', keys)
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    phone.soundTo(await carrier.offeredPort())
    expect(await call.answer).toMatchObject({ status: 502, body: { error: 'call_failed' } })
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({
      ...{ failureReason: 'no_answer', sipStatusCode: 480, answeredAt: null, chargedS: 0 },
    })
  })

  test('that plays a ring tone is answered when its callee answers', async () => {
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '3000' }
    await using carrier = await startCarrier('early-media', keys)
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    phone.soundTo(await carrier.offeredPort())
    const invitedAt = Date.now()
    const first = await call.answer
    expect(first.status).toBe(201)
    expect(Number((await call.row()).answeredAt)).toBeGreaterThan(invitedAt + 2_500)
    await calls.voice.server.context.voice.parts.media.deleteRoom(String(first.body.roomName))
    await carrier.ended
  })

  test('is not called twice for the same two numbers, nor above the trunk’s calls per second', async () => {
    await using carrier = await startCarrier('ring')
    const on = await calls.trunk(carrier.address, { trunk: { maxCps: 0.1 } })
    const call = calls.place(on, LONDON)
    await carrier.invited
    const again = calls.place(on, LONDON)
    expect(await again.answer).toMatchObject({ status: 429, body: { error: 'concurrency_limit_reached' } })
    const other = calls.place(on, '+442079460192')
    expect(await other.answer).toMatchObject({
      status: 429,
      body: { error: 'rate_limit_exceeded', retry_after: expect.any(Number) },
    })
    call.leave()
    // One INVITE: SIPp accepts one call, and a second one would fail it.
    await carrier.ended
  })

  test('gets one INVITE for an Idempotency-Key: a second request joins, and a third replays', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('answer', { rtp: String(await phone.open()), ringing: '2000' })
    const on = await calls.trunk(carrier.address)
    const call = calls.place(on, LONDON, 'one')
    await carrier.invited
    const joined = calls.place(on, LONDON, 'one')
    const [first, second] = await Promise.all([call.answer, joined.answer])
    expect(first.status).toBe(201)
    expect(second).toEqual(first)
    expect(await calls.place(on, LONDON, 'one').answer).toEqual(first)
    await calls.voice.server.context.voice.parts.media.deleteRoom(String(first.body.roomName))
    await carrier.ended
  })

  test('with key presses of its callee: the agent gets them as one message', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('answer', { rtp: String(await phone.open()), ringing: '3000' })
    const call = calls.place(await calls.trunk(carrier.address), LONDON)
    const { body } = await call.answer
    await phone.ear.sentence(0)
    for (const key of '123#') await phone.press(key)
    const { id } = await call.row()
    const said = async () => (await calls.voice.transcript(id)).map(({ role, text }) => `${role}: ${text}`)
    await expect.poll(said, { timeout: 20_000 }).toContain('user: [keypad] 123#')
    await expect
      .poll(
        async () => (await said()).some((line) => line.startsWith('assistant: ') && line.includes('123#')),
        {
          timeout: 20_000,
        },
      )
      .toBe(true)
    await calls.voice.server.context.voice.parts.media.deleteRoom(String(body.roomName))
    await carrier.ended
  })
})
