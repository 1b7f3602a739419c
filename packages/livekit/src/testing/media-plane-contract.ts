import { randomUUID } from 'node:crypto'
import { newId, PhoneTrunkId, VoiceSessionId } from '@troupe/contract'
import { type MediaPlane, MediaPlaneError, type NewCall, type NewRoom, UnansweredCall } from '@troupe/voice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The reaction of the called side in a test of the contract. */
export type CarrierBehaviour =
  | 'answers'
  | 'is_busy'
  | 'declines'
  | 'does_not_know_the_number'
  | 'fails'
  | 'rings'

export interface CarrierCall {
  /** Resolves when the called phone rings. */
  rang: Promise<void>
  /** Resolves when the carrier has seen the expected end of the call. */
  ended: Promise<void>
}

export interface ContractSubject extends AsyncDisposable {
  plane: MediaPlane
  /** Sets the carrier's behaviour for the next call. */
  carrier(behaviour: CarrierBehaviour): Promise<CarrierCall>
  /** `host:port` of the carrier. */
  carrierAddress: string
  dispatchesOf(roomName: string): Promise<{ id: string; agentName: string; metadata: string }[]>
}

/** The contract of every media plane. `start` is called once. */
export function describeMediaPlane(name: string, start: () => Promise<ContractSubject>): void {
  describe(`the media plane: ${name}`, () => {
    let subject: ContractSubject
    beforeAll(async () => {
      subject = await start()
    })
    afterAll(() => subject?.[Symbol.asyncDispose]())
    describeRooms(() => subject)
    describeCalls(() => subject)
  })
}

function newRoom(): NewRoom {
  const sessionId = randomUUID()
  return {
    roomName: `vs_${sessionId}`,
    metadata: JSON.stringify({ sid: sessionId }),
    dispatchMetadata: JSON.stringify({ v: 1, sid: sessionId, n: 1, t: 'one-time' }),
    emptyTimeoutS: 30,
    departureTimeoutS: 1,
  }
}

function describeRooms(subject: () => ContractSubject): void {
  test('a room is created with its dispatch, is alive, and is gone once deleted', async () => {
    const { plane, dispatchesOf } = subject()
    const room = newRoom()
    const { roomSid } = await plane.createRoom(room)
    expect(roomSid).toMatch(/^RM_/)
    expect(await plane.isRoomAlive(room.roomName)).toBe(true)
    expect(await dispatchesOf(room.roomName)).toEqual([
      { id: expect.stringMatching(/^AD_/), agentName: 'troupe-voice', metadata: room.dispatchMetadata },
    ])
    await plane.deleteRoom(room.roomName)
    expect(await plane.isRoomAlive(room.roomName)).toBe(false)
  })

  test('deleting a room that does not exist is fine', async () => {
    await subject().plane.deleteRoom(`vs_${randomUUID()}`)
  })

  test('a new dispatch takes the place of the former ones', async () => {
    const { plane, dispatchesOf } = subject()
    const room = newRoom()
    await plane.createRoom(room)
    const first = await plane.redispatch({
      roomName: room.roomName,
      metadata: 'second',
      formerDispatchId: null,
      agentIdentity: 'agent-1',
    })
    expect(await dispatchesOf(room.roomName)).toEqual([
      { id: first, agentName: 'troupe-voice', metadata: 'second' },
    ])
    const second = await plane.redispatch({
      roomName: room.roomName,
      metadata: 'third',
      formerDispatchId: first,
      agentIdentity: 'agent-1',
    })
    expect(second).not.toBe(first)
    expect(await dispatchesOf(room.roomName)).toEqual([
      { id: second, agentName: 'troupe-voice', metadata: 'third' },
    ])
    await plane.deleteRoom(room.roomName)
  })

  test('no worker can be dispatched into a room that is gone', async () => {
    const dispatched = subject().plane.redispatch({
      roomName: `vs_${randomUUID()}`,
      metadata: '{}',
      formerDispatchId: null,
      agentIdentity: 'agent-1',
    })
    await expect(dispatched).rejects.toBeInstanceOf(MediaPlaneError)
  })
}

function describeCalls(subject: () => ContractSubject): void {
  const RINGING_S = 5
  let mediaTrunkId: string

  async function place(overrides: Partial<NewCall> = {}) {
    const room = newRoom()
    await subject().plane.createRoom(room)
    const call: NewCall = {
      sessionId: newId(VoiceSessionId),
      roomName: room.roomName,
      mediaTrunkId,
      dialString: '+442079460199',
      fromNumber: '+442079460100',
      participantIdentity: `callee-${randomUUID().slice(0, 8)}`,
      headers: {},
      ringingTimeoutS: RINGING_S,
      maxDurationS: 60,
      mediaTimeoutS: 20,
      ...overrides,
    }
    return { call, room, outcome: subject().plane.dial(call) }
  }

  const provisioned = () =>
    subject().plane.provisionTrunk({
      trunkId: newId(PhoneTrunkId),
      name: 'Out',
      address: subject().carrierAddress,
      transport: 'udp',
      numbers: ['+442079460100'],
      authUsername: 'user',
      authPassword: 'secret',
      headers: {},
      mediaEncryption: 'disabled',
    })
  beforeAll(async () => {
    mediaTrunkId = await provisioned()
  })

  test('a trunk gets an id of the media server', () => {
    expect(mediaTrunkId).toMatch(/^ST_/)
  })

  test('a removed trunk is not known any more, and removing it again is fine', async () => {
    const removed = await provisioned()
    await subject().plane.removeTrunk(removed)
    await subject().plane.removeTrunk(removed)
    const { call, outcome } = await place({ mediaTrunkId: removed })
    await expect(outcome).rejects.toMatchObject({ failureReason: 'trunk_lost', sipStatusCode: null })
    await subject().plane.deleteRoom(call.roomName)
  })

  test('an answered call resolves with its SIP call id, and ends with its room', async () => {
    const { ended } = await subject().carrier('answers')
    const { call, outcome } = await place()
    expect(await outcome).toEqual({
      sipCallId: expect.stringMatching(/^SCL_/),
      participantIdentity: call.participantIdentity,
    })
    await subject().plane.deleteRoom(call.roomName)
    await ended
  })

  test.for([
    ['is_busy', 'busy', 486],
    ['declines', 'declined', 603],
    ['does_not_know_the_number', 'invalid_number', 404],
    ['fails', 'carrier_error', 503],
  ] as const)('a carrier that %s is %s', async ([behaviour, failureReason, sipStatusCode]) => {
    const { ended } = await subject().carrier(behaviour)
    const { call, outcome } = await place()
    await expect(outcome).rejects.toMatchObject({ name: 'UnansweredCall', failureReason, sipStatusCode })
    await ended
    await subject().plane.deleteRoom(call.roomName)
  })

  test('a call that only rings ends as not answered after its ringing timeout', async () => {
    const { ended } = await subject().carrier('rings')
    const startedAt = performance.now()
    const { call, outcome } = await place({ ringingTimeoutS: 2 })
    const failure = await outcome.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnansweredCall)
    expect(failure).toMatchObject({
      failureReason: 'no_answer',
      message: 'No answer within 2 seconds.',
      sipStatusCode: null,
    })
    expect(performance.now() - startedAt).toBeGreaterThan(1_900)
    await ended
    await subject().plane.deleteRoom(call.roomName)
  })

  test('deleting the room ends the ringing', async () => {
    const { rang, ended } = await subject().carrier('rings')
    const { call, outcome } = await place({ ringingTimeoutS: 20 })
    const failed = outcome.catch((error: unknown) => error)
    await rang
    const startedAt = performance.now()
    await subject().plane.deleteRoom(call.roomName)
    expect(await failed).toBeInstanceOf(UnansweredCall)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await ended
  })

  test('an unknown trunk and a non-existent number are distinct errors', async () => {
    const { call, outcome } = await place({ mediaTrunkId: 'ST_unknown' })
    await expect(outcome).rejects.toMatchObject({ failureReason: 'trunk_lost', sipStatusCode: null })
    await subject().plane.deleteRoom(call.roomName)
  })
}
