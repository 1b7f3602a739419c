import { randomBytes } from 'node:crypto'
import { completeVoiceSettings, VoiceSessionId } from '@troupe/contract'
import { grantedSeconds } from '../leases/lease-grant.ts'
import { newJobToken } from '../sessions/job-token.ts'
import { workersSeenAfter } from '../workers/worker-store.ts'
import { capRefusal } from './call-caps.ts'
import type { CallParts } from './call-parts.ts'
import { type CallRefusal, REFUSALS, UNAVAILABLE } from './call-refusal.ts'
import type { CallRequest } from './call-request.ts'
import type { CallAdmission, CallOpening, NewOutboundCall } from './call-store.ts'
import type { CheckedCall } from './check-call.ts'

/** The time limit for creating a room and for its worker to accept. */
const STARTING_MS = 15_000

/** A call whose row is stored, with what the next steps need. */
export interface OpenedCall extends CheckedCall {
  row: NewOutboundCall
  dispatchMetadata: string
  /** The ringing timeout, and the limit of the conversation after the longest ringing; in seconds. */
  ringingS: number
  talkingS: number
}

/** Caps, budgets and the row of the call, in one transaction. */
export async function openCall(
  { calls, alerts, newId, now, limits }: CallParts,
  request: CallRequest,
  call: CheckedCall,
): Promise<
  Exclude<CallOpening<CallRefusal>, { kind: 'opened' | 'no_room' }> | { kind: 'opened'; call: OpenedCall }
> {
  const { trunk, number, voice, destination } = call
  const at = now()
  const ringingS = Math.min(trunk.ringingTimeoutS, limits.maxRingingS)
  const ofAgent = completeVoiceSettings(voice.settings).limits.maxSessionS
  const talkingS = Math.min(trunk.maxCallS, ofAgent, limits.maxSessionS)
  const id = newId(VoiceSessionId)
  const { dispatchMetadata, jobTokenHash } = newJobToken(id, 1)
  const row: NewOutboundCall = {
    id,
    organizationId: request.organizationId,
    projectId: voice.projectId,
    apiKeyId: request.apiKeyId,
    agentId: voice.agentId,
    agentVersionId: voice.agentVersionId,
    voiceConfigId: voice.voiceConfigId,
    roomName: `call_${id}`,
    // Random: two participants with one identity would cancel the call.
    participantIdentity: `callee-${randomBytes(4).toString('hex')}`,
    createdAt: new Date(at),
    expiresAt: new Date(at + (ringingS + talkingS) * 1_000),
    phaseDeadline: new Date(at + STARTING_MS),
    jobTokenHash,
    trunkId: trunk.id,
    phoneNumberId: number.id,
    toE164: destination.e164,
    toCountry: destination.country,
    fromE164: number.e164,
  }
  const admit = ({ counts, remaining }: CallAdmission) => {
    const cap = capRefusal(trunk, counts, limits.newTrunkCalls, at)
    if (cap?.kind === 'concurrency') {
      return { refusal: { code: 'concurrency_limit_reached', message: cap.message } as const }
    }
    if (cap) {
      const { message, retryAfterS } = cap
      return { refusal: { code: 'rate_limit_exceeded', message, retryAfterS } as const }
    }
    if (remaining.length === 0) return { refusal: REFUSALS.budgetRequired }
    const reservedS = grantedSeconds(remaining, limits.billingUnitS)
    return reservedS === 0 ? { refusal: REFUSALS.budgetExceeded } : { reservedS }
  }
  const { idempotency } = request
  const options = { idempotency, maxCps: trunk.maxCps, workersSeenAfter: workersSeenAfter(at) }
  const opening = await calls.open<CallRefusal>(row, options, admit)
  if (opening.kind === 'no_room') return { kind: 'refused', refusal: UNAVAILABLE }
  if (opening.kind !== 'opened') return opening
  if (opening.isFirstToCountry) {
    const { organizationId } = request
    alerts.raise({
      kind: 'first_call_to_country',
      country: destination.country,
      trunkId: trunk.id,
      organizationId,
    })
  }
  return { kind: 'opened', call: { ...call, row, dispatchMetadata, ringingS, talkingS } }
}
