import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asId } from '@troupe/contract'
import { type CarrierScenario, startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { freePort } from '@troupe/test-kit/free-port'
import { type CallSeed, type SeededCalls, seedCalls } from '@troupe/test-kit/seed-calls'
import type { VoiceSessionRecord } from '@troupe/voice'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type LiveVoice, openLiveVoice } from './live-voice.ts'
import { ANSWERS, GREETING, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech', 'carrier')

const TO = '+442079460190'
const FAREWELL = 'please stop now'
/** The agent joins while it rings. */
const RINGING = { ringing: '4000' }
const CANCELED = { sessionState: 'failed', endedReason: 'canceled', chargedS: 0 }

describe.skipIf(level.missing !== null)('calls that go wrong over real SIP and RTP', () => {
  let voice: LiveVoice
  let port: number
  let rooms: string[]
  beforeAll(async () => {
    const settings = { ...SPOKEN_SETTINGS, budgetText: FAREWELL }
    voice = await openLiveVoice(level, settings, { VOICE_BILLING_UNIT_S: '1' })
    await voice.server.app.listen({ host: '127.0.0.1', port: 0 })
    port = (voice.server.app.server.address() as AddressInfo).port
  })
  afterAll(() => voice?.[Symbol.asyncDispose]())

  /** A trunk to the address, and the rooms of the calls that follow. */
  function trunkTo(address: string, changes: Partial<CallSeed> = {}): Promise<SeededCalls> {
    const { seed, context } = voice.server
    const { media } = context.voice.parts
    rooms = []
    const createRoom = media.createRoom.bind(media)
    vi.spyOn(media, 'createRoom').mockImplementation((room) => {
      rooms.push(room.roomName)
      return createRoom(room)
    })
    return seedCalls(context.database, {
      organizationId: seed.organizationId,
      projectId: null,
      agentId: seed.agents.organization,
      ...changes,
      trunk: { address, ringingTimeoutS: 10, maxConcurrentCalls: 1, ...changes.trunk },
    })
  }
  afterEach(() => vi.restoreAllMocks())

  const call = ({ trunkId, phoneNumberId }: SeededCalls) =>
    voice.server.call('POST /api/v1/calls', { body: { trunkId, phoneNumberId, to: TO } })

  async function row(): Promise<VoiceSessionRecord | null> {
    const [room = ''] = rooms
    return voice.server.context.database.voice.sessions.locate(asId(room.slice('call_'.length)))
  }

  /** No ghost call: the row has ended like this, its room is gone, and the trunk's only place is free. */
  async function isOver(on: SeededCalls, expected: object, timeout = 20_000): Promise<void> {
    await expect.poll(row, { timeout }).toMatchObject(expected)
    const [room = ''] = rooms
    const { livekit } = voice.server.context.voice.connected ?? {}
    await expect.poll(() => livekit?.isRoomAlive(room), { timeout: 15_000 }).toBe(false)
    await using carrier = await startCarrier('final', { final: '486 Busy Here' })
    await voice.server.context.database.transaction(async ({ read, write }) => {
      const trunk = await read.phone.trunk(voice.server.seed.organizationId, on.trunkId)
      if (trunk) await write.phone.updateTrunk({ ...trunk, address: carrier.address, lkTrunkId: null })
    })
    expect((await call(on)).status).toBe(502)
  }

  /** A request whose client leaves once the carrier was called. */
  async function leaveWhile(scenario: CarrierScenario): Promise<SeededCalls> {
    await using carrier = await startCarrier(scenario)
    const on = await trunkTo(carrier.address)
    const { trunkId, phoneNumberId } = on
    const request = httpRequest({
      ...{ host: '127.0.0.1', port, path: '/api/v1/calls', method: 'POST' },
      headers: { 'x-api-key': voice.server.seed.keys.organization, 'content-type': 'application/json' },
    })
    request.on('error', () => {})
    request.end(JSON.stringify({ trunkId, phoneNumberId, to: TO }))
    await carrier.invited
    request.destroy()
    // The scenario fails unless it gets its CANCEL, or the ACK and BYE of an answer that was too late.
    await carrier.ended
    return on
  }

  test('a callee who hangs up ends the call, and pays for its seconds', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('hang-up', { rtp: String(await phone.open()), ...RINGING })
    const on = await trunkTo(carrier.address)
    expect(await call(on)).toMatchObject({ status: 201 })
    await carrier.ended
    await isOver(on, { sessionState: 'completed', endedReason: 'participant_left' })
  })

  test('a client that leaves while it rings cancels the call at the carrier', async () => {
    await isOver(await leaveWhile('ring'), CANCELED)
  })

  test('an answer that crosses the cancel is acknowledged, hung up and not charged', async () => {
    await isOver(await leaveWhile('late-answer'), CANCELED)
  })

  test('a carrier that is not there fails the call within its ringing timeout', async () => {
    const on = await trunkTo(`127.0.0.1:${await freePort()}`)
    const began = performance.now()
    expect(await call(on)).toMatchObject({ status: 502, body: { error: 'call_failed' } })
    expect(performance.now() - began).toBeLessThan(15_000)
    await isOver(on, { sessionState: 'failed', endedReason: 'call_failed', chargedS: 0 })
  })

  test('minutes that run out end the call with a farewell, and cost no more than there were', async () => {
    await using phone = new Phone()
    await using carrier = await startCarrier('answer', { rtp: String(await phone.open()), ...RINGING })
    const on = await trunkTo(carrier.address, { minutes: 1.2 })
    expect(await call(on)).toMatchObject({ status: 201 })
    expect(await recognise(await phone.ear.sentence(0), ANSWERS)).toBe(GREETING)
    const greetedAt = Date.now()
    expect(await recognise(await phone.ear.sentence(greetedAt, 900, 80_000), [GREETING, FAREWELL])).toBe(
      FAREWELL,
    )
    await carrier.ended
    await expect.poll(row, { timeout: 20_000 }).toMatchObject({ endedReason: 'budget_exhausted' })
    expect((await row())?.chargedS).toBeLessThanOrEqual(72)
  })

  test('a Redis that restarts has forgotten the trunk, which is told to it again', async () => {
    await using carrier = await startCarrier('final', { final: '486 Busy Here' })
    const on = await trunkTo(carrier.address, { minutes: 100 })
    expect((await call(on)).status).toBe(502)
    const { read } = voice.server.context.database
    const mediaTrunk = async () =>
      (await read.phone.trunk(voice.server.seed.organizationId, on.trunkId))?.lkTrunkId
    const before = await mediaTrunk()
    await carrier.ended
    await voice.media.redis.kill()
    await voice.media.redis.start()
    const answers = async () => {
      await using again = await startCarrier('final', { final: '486 Busy Here' }, portOf(carrier.address))
      const { status, body } = await call(on)
      return [status, Object(body).message, again.address]
    }
    await expect
      .poll(answers, { timeout: 60_000, interval: 500 })
      .toMatchObject([502, expect.stringContaining('busy'), carrier.address])
    expect(await mediaTrunk()).not.toBe(before)
  })
})

const portOf = (address: string) => Number(address.split(':')[1])
