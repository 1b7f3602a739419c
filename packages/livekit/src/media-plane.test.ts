import { createLivekit } from './create-livekit.ts'
import type { CallScript } from './testing/double-calls.ts'
import { type CarrierBehaviour, describeMediaPlane } from './testing/media-plane-contract.ts'
import { startTwirpDouble } from './testing/twirp-double.ts'

const SCRIPTS: Record<CarrierBehaviour, CallScript> = {
  answers: { answer: true },
  is_busy: { sipStatus: 486, phrase: 'Busy Here' },
  declines: { sipStatus: 603, phrase: 'Decline' },
  does_not_know_the_number: { sipStatus: 404, phrase: 'Not Found' },
  fails: { sipStatus: 503, phrase: 'Service Unavailable' },
  rings: { ring: true },
}

describeMediaPlane('LiveKit, on the double', async () => {
  const double = await startTwirpDouble()
  return {
    plane: createLivekit(double),
    carrierAddress: '127.0.0.1:5060',
    carrier: async (behaviour) => {
      const { promise: rang, resolve } = Promise.withResolvers<void>()
      double.calls.script = () => {
        // The call rings once the double has read the script.
        setImmediate(resolve)
        return SCRIPTS[behaviour]
      }
      return { rang, ended: Promise.resolve() }
    },
    dispatchesOf: async (roomName) => double.room(roomName)?.dispatches ?? [],
    [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
  }
})
