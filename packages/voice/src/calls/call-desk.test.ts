import { setTimeout as pause } from 'node:timers/promises'
import {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  newId,
  OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { expect, test, vi } from 'vitest'
import { UnansweredCall } from '../media/media-plane.ts'
import type { VoiceSessionRecord } from '../sessions/session.ts'
import { CallDesk } from './call-desk.ts'
import type { CallParts } from './call-parts.ts'
import type { CallRequest } from './call-request.ts'

function requestOf(signal: AbortSignal): CallRequest {
  return {
    organizationId: newId(OrganizationId),
    projectId: null,
    apiKeyId: newId(ApiKeyId),
    trunkId: newId(PhoneTrunkId),
    phoneNumberId: newId(PhoneNumberId),
    to: '+442079460100',
    idempotency: { path: '/calls', key: 'k', bodyHash: 'h' },
    signal,
  }
}

/** Only the parts used by a request that joins an earlier call. */
function partsOf(rowOf: () => Partial<VoiceSessionRecord>) {
  const seen = { reads: 0, touches: 0 }
  const parts = {
    calls: {
      held: async () => ({ sessionId: newId(VoiceSessionId), bodyHash: 'h' }),
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

test('a request that waits for the call of another process reads its row twice a second, not immediately again', async () => {
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

test('a request that joins a call with an erased conversation gets an error, and dials nothing', async () => {
  const erased = {
    sessionState: 'completed',
    failureReason: null,
    fromE164: null,
    trunkId: newId(PhoneTrunkId),
  } as const
  const { desk } = partsOf(() => ({ ...erased, answeredAt: new Date(), sipCallId: 'SCL_1' }))
  expect(await desk.place(requestOf(new AbortController().signal))).toMatchObject({
    kind: 'refused',
    refusal: { code: 'idempotency_conflict' },
  })
})

/** A call that rings until its row is canceled; its request joins no earlier call. */
function ringingParts(byKey: () => Promise<Partial<VoiceSessionRecord>>) {
  const ringing = Promise.withResolvers<never>()
  const done = { ends: 0, deleted: 0 }
  const trunk = {
    id: newId(PhoneTrunkId),
    direction: 'outbound',
    status: 'active',
    provisioning: 'assumed',
    lkTrunkId: 'ST_1',
  }
  const caps = { maxConcurrentCalls: 1, maxCps: 1, maxCallsPerDestinationPerHour: 3, dailyCallCap: null }
  const policy = { allowedCountries: ['GB'], blockedPrefixes: [], defaultCountry: null, quietHours: null }
  const provisioned = {
    provisionedAt: new Date(),
    configHash: 'h',
    provisionedHash: 'h',
    createdAt: new Date(0),
  }
  const timing = { ringingTimeoutS: 30, maxCallS: 60, numberFormat: 'e164_plus', fromUser: null, headers: {} }
  const parts = {
    calls: {
      held: async () => null,
      plan: async () => ({
        trunk: { ...trunk, ...caps, ...policy, ...provisioned, ...timing },
        number: { id: newId(PhoneNumberId), e164: '+442079460199' },
        voice: {
          voiceConfigId: newId(VoiceConfigurationId),
          agentId: newId(AgentId),
          agentVersionId: newId(AgentVersionId),
          isArchived: false,
          settings: {},
        },
        hasBudget: true,
      }),
      isOnDoNotCall: async () => false,
      open: async () => ({ kind: 'opened', isFirstToCountry: false }),
      toDialing: async () => true,
      dialerSeen: async () => {},
    },
    sessions: {
      byKey,
      end: async () => {
        done.ends += 1
        return {}
      },
      roomGone: async () => {},
    },
    workers: { hasRoom: async () => true },
    speech: { canConverse: async () => true },
    media: {
      health: () => ({ rooms: true, calls: true }),
      createRoom: async () => ({ roomSid: 'RM_1' }),
      dial: () => ringing.promise,
      deleteRoom: async () => {
        done.deleted += 1
        ringing.reject(new UnansweredCall('canceled', 'Canceled.', { statusCode: 487, status: null }))
      },
    },
    alerts: { raise: () => {} },
    results: { callResolved: () => {} },
    provisioning: {},
    newId,
    now: () => Date.now(),
    limits: {
      maxRingingS: 45,
      maxSessionS: 3_600,
      billingUnitS: 60,
      newTrunkCalls: 0,
      acceptMs: 100,
      readyMs: 100,
    },
  }
  return { done, desk: new CallDesk(parts as unknown as CallParts) }
}

test('a call whose client left while the database was away is canceled once it is back', async () => {
  const canceled = {
    sessionState: 'failed',
    endedReason: 'canceled',
    answeredAt: null,
    failureReason: null,
  } as const
  let state: 'rings' | 'away' | 'back' = 'rings'
  let failures = 0
  const { done, desk } = ringingParts(async () => {
    if (state === 'away') {
      failures += 1
      throw new Error('the database is away')
    }
    if (done.ends > 0) return canceled
    return {
      sessionState: 'dialing',
      workerId: 'w',
      waiterSeenAt: null,
      answeredAt: null,
      failureReason: null,
    }
  })
  const client = new AbortController()
  const outcome = desk.place({ ...requestOf(client.signal), idempotency: null })
  await pause(50)
  state = 'away'
  client.abort()
  await vi.waitFor(() => expect(failures).toBeGreaterThanOrEqual(2), { timeout: 5_000 })
  expect(done).toEqual({ ends: 0, deleted: 0 })
  state = 'back'
  expect(await outcome).toMatchObject({ kind: 'refused', refusal: { code: 'call_failed' } })
  expect(done.ends).toBeGreaterThan(0)
  expect(done.deleted).toBeGreaterThan(0)
})

test('a stopping desk waits for a ringing phone, and dials no other one', async () => {
  const { desk } = ringingParts(async () => ({ sessionState: 'dialing', waiterSeenAt: null }))
  const client = new AbortController()
  const ringing = desk.place({ ...requestOf(client.signal), idempotency: null })
  await pause(50)
  let isDrained = false
  const drained = desk.drain(60_000).then(() => {
    isDrained = true
  })
  expect(await desk.place({ ...requestOf(new AbortController().signal), idempotency: null })).toMatchObject({
    kind: 'refused',
    refusal: { code: 'voice_infrastructure_unavailable' },
  })
  await pause(50)
  expect(isDrained).toBe(false)
  client.abort()
  await Promise.all([ringing, drained])
  expect(isDrained).toBe(true)
})

test('a stopping desk abandons a phone that rings for too long', async () => {
  const { desk } = ringingParts(async () => ({ sessionState: 'dialing', waiterSeenAt: null }))
  const client = new AbortController()
  const ringing = desk.place({ ...requestOf(client.signal), idempotency: null })
  await pause(50)
  await desk.drain(20)
  client.abort()
  await ringing
})
