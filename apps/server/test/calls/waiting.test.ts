import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SeededCalls } from '@troupe/test-kit/seed-calls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallSetting, LONDON, openCalls, refusalOf } from './call-setting.ts'

let calls: CallSetting
let port: number
beforeAll(async () => {
  calls = await openCalls()
  await calls.server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (calls.server.app.server.address() as AddressInfo).port
})
afterAll(() => calls[Symbol.asyncDispose]())
beforeEach(() => {
  calls.double.calls.script = () => ({ answer: true })
})

/** A request over a socket whose client can disconnect. */
function overSocket(on: SeededCalls, idempotencyKey?: string) {
  const { trunkId, phoneNumberId } = on
  const left = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<never>()
  answered.promise.catch(() => {})
  const request = httpRequest({
    ...{ host: '127.0.0.1', port, path: '/api/v1/calls', method: 'POST' },
    headers: {
      'x-api-key': calls.server.seed.keys.organization,
      'content-type': 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
  })
  request.on('error', () => {})
  request.on('close', () => left.resolve())
  request.on('response', async (response) => {
    const text = (await response.toArray()).join('')
    answered.reject(new Error(`the call was answered with ${response.statusCode}: ${text}`))
  })
  request.end(JSON.stringify({ trunkId, to: LONDON, phoneNumberId }))
  return {
    /** The call while it rings; throws the response if it arrives earlier. */
    ringing: () => Promise.race([calls.session(on, ['dialing']), answered.promise]),
    async leave() {
      request.destroy()
      await left.promise
    },
  }
}

const canceled = { sessionState: 'failed', endedReason: 'canceled', failureReason: 'canceled', chargedS: 0 }

describe('a client that disconnects', () => {
  test('while it rings cancels the call: the row first, then the room, which stops the ringing', async () => {
    calls.double.calls.script = () => ({ ring: true })
    const on = await calls.trunk()
    const client = overSocket(on)
    await client.ringing()
    await client.leave()
    const row = await calls.session(on, ['failed'])
    expect(row).toMatchObject(canceled)
    await expect.poll(() => calls.double.room(row.roomName)).toBeUndefined()
  })

  test('after the answer changes nothing', async () => {
    const on = await calls.trunk()
    const client = overSocket(on)
    const row = await calls.session(on, ['active'])
    await client.leave()
    expect((await calls.session(on, ['active'])).id).toBe(row.id)
  })

  test('races the answer: either the call is canceled and its room is deleted, or it continues', async () => {
    const states = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        calls.double.calls.script = () => ({ answer: true, afterMs: 30 + index * 4 })
        const on = await calls.trunk()
        const client = overSocket(on)
        await calls.session(on, ['dialing', 'active'])
        await new Promise((resolve) => setTimeout(resolve, 30))
        await client.leave()
        const row = await calls.session(on, ['failed', 'active'])
        if (row.sessionState === 'active') expect(row.answeredAt).not.toBeNull()
        else {
          expect(row).toMatchObject({ ...canceled, answeredAt: null })
          await expect.poll(() => calls.double.room(row.roomName)).toBeUndefined()
        }
        return row.sessionState
      }),
    )
    expect(states).toHaveLength(12)
  })
})

describe('an Idempotency-Key', () => {
  test('joins two concurrent requests to one call', async () => {
    calls.double.calls.script = () => ({ answer: true, afterMs: 300 })
    const on = await calls.trunk()
    const dialed = calls.double.calls.dialed.length
    const first = calls.call(on, { idempotencyKey: 'join' })
    await calls.session(on, ['dialing'])
    const second = calls.call(on, { idempotencyKey: 'join' })
    const [one, other] = await Promise.all([first, second])
    expect(one.status).toBe(201)
    expect([other.status, other.body]).toEqual([201, one.body])
    expect(calls.double.calls.dialed).toHaveLength(dialed + 1)
  })

  test('of two concurrent requests dials once', async () => {
    calls.double.calls.script = () => ({ answer: true, afterMs: 100 })
    const on = await calls.trunk()
    const answers = await Promise.all([1, 2, 3].map(() => calls.call(on, { idempotencyKey: 'once' })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await calls.calls(on)).toHaveLength(1)
  })

  test('replays an answer and a failure, without dialing again', async () => {
    const on = await calls.trunk()
    const answered = await calls.call(on, { idempotencyKey: 'answered' })
    calls.double.calls.script = () => ({ sipStatus: 486, phrase: 'Busy Here' })
    const to = '+442079460998'
    const busy = await calls.call(on, { to, idempotencyKey: 'busy' })
    const dialed = calls.double.calls.dialed.length
    calls.double.calls.script = () => ({ answer: true })
    expect((await calls.call(on, { idempotencyKey: 'answered' })).body).toEqual(answered.body)
    const again = await calls.call(on, { to, idempotencyKey: 'busy' })
    expect([again.status, again.body]).toEqual([502, busy.body])
    expect(calls.double.calls.dialed).toHaveLength(dialed)
  })

  test('with another body is 409 for any outcome of the call; keys of the organization are separate', async () => {
    const on = await calls.trunk()
    await calls.call(on, { idempotencyKey: 'body' })
    const other = await calls.call(on, { to: '+442079460998', idempotencyKey: 'body' })
    expect(refusalOf(other).slice(0, 2)).toEqual([409, 'idempotency_conflict'])
  })

  test('is not stored for a refusal or a 503', async () => {
    const on = await calls.trunk({ trunk: { status: 'draft' } })
    expect((await calls.call(on, { idempotencyKey: 'refused' })).status).toBe(400)
    const usable = await calls.trunk()
    calls.double.calls.script = () => ({
      status: 503,
      code: 'unavailable',
      message: 'no response from servers',
    })
    expect((await calls.call(usable, { idempotencyKey: 'refused' })).status).toBe(503)
    calls.double.calls.script = () => ({ answer: true })
    expect((await calls.call(usable, { idempotencyKey: 'refused' })).status).toBe(201)
  })

  test.for([['ключ'], ['x'.repeat(256)]])('with other characters or more than 255 is 400: %s', async ([
    key,
  ]) => {
    const answer = await calls.call(await calls.trunk(), { idempotencyKey: key ?? '' })
    expect(refusalOf(answer).slice(0, 2)).toEqual([400, 'validation_error'])
  })

  test('keeps the call while another request waits for it, and ends it two seconds after the last one', async () => {
    calls.double.calls.script = () => ({ ring: true })
    const on = await calls.trunk()
    const first = overSocket(on, 'waiting')
    const ringing = await first.ringing()
    const second = overSocket(on, 'waiting')
    const seen = async () => (await calls.session(on, ['dialing'])).waiterSeenAt
    await expect.poll(seen).not.toBeNull()
    await first.leave()
    await expect.poll(seen, { timeout: 3_000 }).not.toEqual(await seen())
    await second.leave()
    const row = await calls.session(on, ['failed'])
    expect(row).toMatchObject({ ...canceled, id: ringing.id })
    // The media server reports the end of the room like an unanswered phone.
    await expect.poll(() => calls.double.room(row.roomName)).toBeUndefined()
    expect(refusalOf(await calls.call(on, { idempotencyKey: 'waiting' }))).toEqual([
      502,
      'call_failed',
      'The call was canceled before it was answered.',
    ])
  })
})
