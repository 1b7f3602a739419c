import type { PhoneTrunkId } from '@troupe/contract'
import type { VoiceSessionRecord } from '../sessions/session.ts'
import { CANCELED_MESSAGE, type CallRefusal, REFUSALS, UNAVAILABLE } from './call-refusal.ts'

/** The outcome of a call for the caller of the API. */
export type CallOutcome = { kind: 'answered'; call: AnsweredCall } | { kind: 'refused'; refusal: CallRefusal }

/** An answered call, without the destination as it was sent. */
export interface AnsweredCall {
  roomName: string
  sipCallId: string
  from: string
  trunkId: PhoneTrunkId
}

/** Failures before the dialing, or not caused by the carrier; these outcomes are not stored. */
const NEVER_DIALED: ReadonlySet<string | null> = new Set([
  'start_failed',
  'agent_unavailable',
  'media_lost',
  'provider_error',
])
/** After the time in which an agent must be ready, an answered call counts as answered, even if its process died. */
const ANSWERED_FOR_SURE_MS = 10_000

/**
 * The outcome of a call by its row; null while it is open.
 *
 * @param now milliseconds since the epoch
 */
export function outcomeOfCall(row: VoiceSessionRecord, now: number): CallOutcome | null {
  const isOver = row.sessionState === 'completed' || row.sessionState === 'failed'
  if (row.failureReason === 'infra') return isOver ? { kind: 'refused', refusal: UNAVAILABLE } : null
  if (row.answeredAt !== null && row.sipCallId !== null) {
    const isSure =
      isOver || row.agentReadyAt !== null || now > row.answeredAt.getTime() + ANSWERED_FOR_SURE_MS
    return isSure ? answeredOutcome(row, row.sipCallId) : null
  }
  if (!isOver) return null
  if (row.sessionState === 'failed' && NEVER_DIALED.has(row.endedReason)) {
    return { kind: 'refused', refusal: UNAVAILABLE }
  }
  const message = row.failureMessage ?? CANCELED_MESSAGE
  return { kind: 'refused', refusal: { code: 'call_failed', message } }
}

/** The numbers of an erased conversation are no longer known, and the request did not ask for a second call. */
function answeredOutcome(
  { roomName, fromE164, trunkId }: VoiceSessionRecord,
  sipCallId: string,
): CallOutcome {
  if (fromE164 === null || trunkId === null) return { kind: 'refused', refusal: REFUSALS.erased }
  return { kind: 'answered', call: { roomName, sipCallId, from: fromE164, trunkId } }
}
