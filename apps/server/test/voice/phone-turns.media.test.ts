import { newId, PhoneTrunkId, VoiceSessionId } from '@troupe/contract'
import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { seedCalls } from '@troupe/test-kit/seed-calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveVoice, openLiveVoice } from './live-voice.ts'
import { CEILINGS_MS, expectPromptTurns } from './prompt.ts'
import { ANSWERS, answerTo, GREETING, SAID, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech', 'carrier')

describe.skipIf(level.missing !== null)('calls over real SIP and RTP', () => {
  let voice: LiveVoice
  beforeAll(async () => {
    voice = await openLiveVoice(level, SPOKEN_SETTINGS)
  })
  afterAll(() => voice?.[Symbol.asyncDispose]())

  async function seed(address: string) {
    const { seed, context } = voice.server
    return seedCalls(context.database, {
      organizationId: seed.organizationId,
      projectId: null,
      agentId: seed.agents.organization,
      trunk: { address, ringingTimeoutS: 10 },
    })
  }

  test('the called person is greeted and has three turns', async () => {
    await using phone = new Phone()
    // The agent joins while it rings.
    const keys = { rtp: String(await phone.open()), ringing: '4000' }
    await using carrier = await startCarrier('answer', keys)
    const { trunkId, phoneNumberId } = await seed(carrier.address)
    const answer = await voice.server.call('POST /api/v1/calls', {
      body: { trunkId, phoneNumberId, to: '+442079460199' },
    })
    expect(answer).toMatchObject({
      status: 201,
      body: { to: '+442079460199', sipCallId: expect.stringMatching(/^SCL_/), trunkId },
    })
    const { roomName } = Object(answer.body)
    const transcript = async () => JSON.stringify(await voice.transcript(roomName.replace(/^call_/, '')))
    expect(await recognise(await phone.ear.sentence(0), ANSWERS)).toBe(GREETING)
    const latencies: number[] = []
    for (const words of SAID.slice(0, 3)) {
      const spokenAt = await phone.say(await speak(words))
      latencies.push((await phone.ear.firstSound(spokenAt)) - spokenAt)

      const heard = await recognise(await phone.ear.sentence(spokenAt), ANSWERS)
      expect(heard, await transcript()).toBe(answerTo(words))
    }
    expectPromptTurns('End of speech to first sound over RTP', latencies)
    await voice.server.context.voice.parts.media.deleteRoom(roomName)
    await carrier.ended
  })

  test.for([
    ['486 Busy Here', 'busy'],
    ['603 Decline', 'declined'],
    ['404 Not Found', 'not valid'],
  ] as const)('a carrier that answers %s fails the call', async ([final, words]) => {
    await using carrier = await startCarrier('final', { final })
    const { trunkId, phoneNumberId } = await seed(carrier.address)
    const answer = await voice.server.call('POST /api/v1/calls', {
      body: { trunkId, phoneNumberId, to: '+442079460198' },
    })
    const failedMs = Date.now() - (await carrier.finalSentAt())
    process.stdout.write(`Final response ${final} to the refusal, in ms: ${failedMs}\n`)
    expect(failedMs).toBeLessThanOrEqual(CEILINGS_MS.failure)
    expect(answer).toMatchObject({
      status: 502,
      body: { error: 'call_failed', message: expect.stringContaining(words) },
    })
    await carrier.ended
  })

  test('an unanswered phone stops ringing', async () => {
    await using carrier = await startCarrier('ring')
    const { trunkId, phoneNumberId } = await seed(carrier.address)
    const answer = await voice.server.call('POST /api/v1/calls', {
      body: { trunkId, phoneNumberId, to: '+442079460197' },
    })
    expect(answer).toMatchObject({ status: 502, body: { message: 'No answer within 10 seconds.' } })
    await carrier.ended
  })

  test.for([
    ['digest', 'secret', 201],
    ['digest', 'wrong', 502],
    // The password is a pattern: SIPp cannot verify the answer to a proxy.
    ['proxy-digest', 'secret', 201],
  ] as const)('a carrier that asks for credentials (%s) gets the password %s: %i', async (asked) => {
    const [scenario, password, status] = asked
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), user: 'user', password: 'secret' }
    await using carrier = await startCarrier(scenario, keys)
    const plane = voice.server.context.voice.parts.media
    const mediaTrunkId = await plane.provisionTrunk({
      ...{
        trunkId: newId(PhoneTrunkId),
        name: 'Digest',
        address: carrier.address,
        transport: 'udp' as const,
      },
      ...{ numbers: ['+442079460100'], authUsername: 'user', authPassword: password, headers: {} },
      mediaEncryption: 'disabled',
    })
    const roomName = `call_${scenario}-${password}`
    await plane.createRoom({
      roomName,
      metadata: '{}',
      dispatchMetadata: '{}',
      emptyTimeoutS: 30,
      departureTimeoutS: 1,
    })
    const dialed = plane.dial({
      ...{ sessionId: newId(VoiceSessionId), roomName, mediaTrunkId, dialString: '+442079460196' },
      ...{ fromNumber: '+442079460100', participantIdentity: 'callee-1', headers: {} },
      ...{ ringingTimeoutS: 10, maxDurationS: 30, mediaTimeoutS: null },
    })
    if (status === 201) await expect(dialed).resolves.toMatchObject({ participantIdentity: 'callee-1' })
    else await expect(dialed).rejects.toMatchObject({ failureReason: 'carrier_refused', sipStatusCode: 403 })
    await plane.deleteRoom(roomName)
    await carrier.ended
  })
})
