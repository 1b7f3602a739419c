import { setTimeout as pause } from 'node:timers/promises'
import { asId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { VoiceSessionRecord } from '../sessions/session.ts'
import { CallDesk } from './call-desk.ts'
import type { CallParts } from './call-parts.ts'
import type { CallRequest } from './call-request.ts'

const id = () => asId(crypto.randomUUID())

function requestOf(signal: AbortSignal): CallRequest {
  return {
    organizationId: id(),
    projectId: null,
    apiKeyId: id(),
    trunkId: id(),
    phoneNumberId: id(),
    to: '+442079460100',
    idempotency: { path: '/calls', key: 'k', bodyHash: 'h' },
    signal,
  }
}

/** Only what a request that joins an earlier call uses. */
function partsOf(rowOf: () => Partial<VoiceSessionRecord>) {
  const seen = { reads: 0, touches: 0 }
  const parts = {
    calls: {
      held: async () => ({ sessionId: id(), bodyHash: 'h' }),
      waiterSeen: async () => {
        seen.touches += 1
      },
    },
    sessions: {
      byKey: async () => {
        seen.reads += 1
        return rowOf()
      },
    },
    now: () => Date.now(),
  }
  return { seen, desk: new CallDesk(parts as unknown as CallParts) }
}

test('a request that waits for the call of another process reads its row twice a second, not at once again', async () => {
  const open = { sessionState: 'dialing', answeredAt: null, failureReason: null } as const
  const busy = { sessionState: 'failed', endedReason: 'call_failed', failureMessage: 'Busy.' } as const
  let row: Partial<VoiceSessionRecord> = open
  const { seen, desk } = partsOf(() => row)
  const outcome = desk.place(requestOf(new AbortController().signal))
  await pause(700)
  expect(seen).toEqual({ reads: 2, touches: 2 })
  row = { ...open, ...busy }
  expect(await outcome).toEqual({ kind: 'refused', refusal: { code: 'call_failed', message: 'Busy.' } })
})
