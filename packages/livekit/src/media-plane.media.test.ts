import { type CarrierScenario, startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { AgentDispatchClient } from 'livekit-server-sdk'
import { describe } from 'vitest'
import { createLivekit } from './create-livekit.ts'
import {
  type CarrierBehaviour,
  type ContractSubject,
  describeMediaPlane,
} from './testing/media-plane-contract.ts'

const media = await mediaLevel('carrier')

const SCENARIOS: Record<CarrierBehaviour, [scenario: CarrierScenario, keys: Record<string, string>]> = {
  answers: ['answer', {}],
  is_busy: ['final', { final: '486 Busy Here' }],
  declines: ['final', { final: '603 Decline' }],
  does_not_know_the_number: ['final', { final: '404 Not Found' }],
  fails: ['final', { final: '503 Service Unavailable' }],
  rings: ['ring', {}],
}

async function startSubject(): Promise<ContractSubject> {
  await using stack = new AsyncDisposableStack()
  const servers = stack.use(await media.startServers())
  const phone = stack.use(new Phone())
  const rtp = String(await phone.open())
  const dispatches = new AgentDispatchClient(servers.httpUrl, servers.apiKey, servers.apiSecret, {
    requestTimeout: 5,
    failover: false,
  })
  // A trunk has one address, so each call's carrier reuses the port of the previous one.
  const first = await startCarrier('answer')
  const carrierAddress = first.address
  const carrierPort = Number(carrierAddress.split(':')[1])
  await first[Symbol.asyncDispose]()
  const current = stack.adopt({ stop: async () => {} }, (carrier) => carrier.stop())
  const owned = stack.move()
  return {
    plane: createLivekit(servers),
    carrierAddress,
    async carrier(behaviour) {
      await current.stop()
      const [scenario, keys] = SCENARIOS[behaviour]
      const carrier = await startCarrier(scenario, { ...keys, rtp }, carrierPort)
      current.stop = async () => await carrier[Symbol.asyncDispose]()
      return { rang: carrier.invited, ended: carrier.ended }
    },
    dispatchesOf: async (roomName) =>
      (await dispatches.listDispatch(roomName)).map(({ id, agentName, metadata }) => ({
        id,
        agentName,
        metadata,
      })),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

describe.skipIf(media.missing !== null)('with media servers', () => {
  describeMediaPlane('LiveKit, the real server', startSubject)
})
