import { untilFound } from '@troupe/durable-work'
import { MediaPlaneError, UnansweredCall } from '../media/media-plane.ts'
import { countFailure } from '../sessions/call-results.ts'
import type { InFlightState, VoiceSessionRecord } from '../sessions/session.ts'
import type { SessionEnd } from '../sessions/session-store.ts'
import { type CallOutcome, outcomeOfCall } from './call-outcome.ts'
import type { CallParts } from './call-parts.ts'
import { CANCELED_MESSAGE, UNAVAILABLE } from './call-refusal.ts'
import { dialCall } from './dial-call.ts'
import type { OpenedCall } from './open-call.ts'
import { dialerSeen } from './unseen-answers.ts'

const POLL_MS = 25
/** The phase of ringing lasts this much longer than the ringing itself. */
const DIALING_MARGIN_MS = 20_000
const EMPTY_TIMEOUT_S = 90
const DEPARTURE_TIMEOUT_S = 1
/** Answers of callees who refuse calls. */
const REJECTIONS: ReadonlySet<number | null> = new Set([603, 607, 608])

/**
 * From the stored row to the outcome of the call. Every failure ends the row first and then deletes the room, which
 * makes the bridge send CANCEL, or BYE if an answer raced it.
 */
export async function ring(parts: CallParts, opened: OpenedCall): Promise<CallOutcome> {
  const { media, now } = parts
  const { row } = opened
  let roomSid: string
  try {
    const room = {
      roomName: row.roomName,
      metadata: JSON.stringify({ sid: row.id }),
      dispatchMetadata: opened.dispatchMetadata,
      emptyTimeoutS: EMPTY_TIMEOUT_S,
      departureTimeoutS: DEPARTURE_TIMEOUT_S,
    }
    roomSid = (await media.createRoom(room)).roomSid
  } catch (error) {
    if (!(error instanceof MediaPlaneError)) throw error
    // Upkeep deletes a room that may exist nevertheless; the caller does not wait for it.
    const roomGone = !error.mayHaveHappened
    await endRow(parts, opened, { reason: 'start_failed', failureReason: 'infra', roomGone })
    return byRow(parts, await parts.sessions.byKey(row))
  }
  const accepted = await until(parts, opened, parts.limits.acceptMs, ({ workerId }) => workerId !== null)
  if (accepted === 'late') {
    return over(parts, opened, { reason: 'agent_unavailable', failureReason: 'infra' })
  }
  const at = new Date(now())
  const phaseDeadline = new Date(at.getTime() + opened.ringingS * 1_000 + DIALING_MARGIN_MS)
  if (accepted === 'ended' || !(await parts.calls.toDialing(row, { roomSid, phaseDeadline, at }))) {
    return ended(parts, opened)
  }
  try {
    using _ = dialerSeen(parts, row)
    const { sipCallId } = await dialCall(parts, opened)
    return await answer(parts, opened, sipCallId)
  } catch (error) {
    if (!(error instanceof UnansweredCall)) throw error
    return failed(parts, opened, error)
  }
}

/** The call was answered: the agent must be there within two seconds. */
async function answer(parts: CallParts, opened: OpenedCall, sipCallId: string): Promise<CallOutcome> {
  const { row } = opened
  const at = new Date(parts.now())
  // The call was canceled before, and the callee is hung up.
  if (!(await parts.calls.answered(row, { sipCallId, at }))) return ended(parts, opened)
  const ready = await until(parts, opened, parts.limits.readyMs, ({ agentReadyAt }) => agentReadyAt !== null)
  if (ready !== 'late') return ended(parts, opened)
  const { organizationId, id } = row
  parts.alerts.raise({ kind: 'answered_without_agent', sessionId: id, organizationId })
  return over(parts, opened, { reason: 'agent_unavailable', failureReason: 'infra' })
}

async function failed(parts: CallParts, opened: OpenedCall, failure: UnansweredCall): Promise<CallOutcome> {
  const { organizationId, trunkId, toE164 } = opened.row
  const { failureReason, sipStatusCode, sipStatus, message } = failure
  if (failureReason === 'trunk_auth') parts.alerts.raise({ kind: 'trunk_auth', trunkId, organizationId })
  if (REJECTIONS.has(sipStatusCode)) {
    await parts.calls.proposeDoNotCall(organizationId, toE164, `Call rejected (SIP ${sipStatusCode})`)
  }
  const end = {
    reason: 'call_failed',
    failureReason,
    sipStatusCode,
    sipStatus,
    failureMessage: message,
  } as const
  return over(parts, opened, end)
}

/** Cancels a call that was not answered; one that was answered continues. */
export async function cancelCall(parts: CallParts, opened: OpenedCall): Promise<void> {
  const end = { reason: 'canceled', failureReason: 'canceled', failureMessage: CANCELED_MESSAGE } as const
  const canceled = await endRow(parts, opened, end, ['starting', 'dialing'])
  if (canceled) await deleteRoom(parts, opened)
}

type CallEnd = Omit<SessionEnd, 'at' | 'billingUnitS'>

function endRow(
  { sessions, now, limits }: CallParts,
  { row }: OpenedCall,
  end: CallEnd,
  from?: InFlightState[],
) {
  const { billingUnitS } = limits
  return sessions.end(row, { ...end, at: new Date(now()), billingUnitS, ...(from ? { from } : {}) })
}

/** Ends the row and the room. If another process ended the row first, its outcome stands. */
async function over(parts: CallParts, opened: OpenedCall, end: CallEnd): Promise<CallOutcome> {
  await endRow(parts, opened, end)
  return ended(parts, opened)
}

/** The outcome by the row. The room of an ended call is deleted, even again: an answer may have raced the cancel. */
async function ended(parts: CallParts, opened: OpenedCall): Promise<CallOutcome> {
  const row = await parts.sessions.byKey(opened.row)
  if (row?.sessionState !== 'active') await deleteRoom(parts, opened)
  return byRow(parts, row)
}

function byRow({ results }: CallParts, row: VoiceSessionRecord | null): CallOutcome {
  const outcome = row && outcomeOfCall(row, Number.MAX_SAFE_INTEGER)
  if (outcome?.kind === 'answered') results.callResolved('answered', null)
  else if (row) countFailure(results, row)
  return outcome ?? { kind: 'refused', refusal: UNAVAILABLE }
}

/** The upkeep of sessions deletes rooms of ended calls until the media server no longer has them. */
async function deleteRoom({ media, sessions }: CallParts, { row }: OpenedCall): Promise<void> {
  try {
    await media.deleteRoom(row.roomName)
    await sessions.roomGone(row)
  } catch (error) {
    if (!(error instanceof MediaPlaneError)) throw error
  }
}

/** Reads the row until the condition holds. */
async function until(
  { sessions }: CallParts,
  { row: { organizationId, id } }: OpenedCall,
  waitMs: number,
  isIt: (row: VoiceSessionRecord) => boolean,
): Promise<'so' | 'ended' | 'late'> {
  const now = () => performance.now()
  // Voice sessions have no signals: whole calls would queue behind each other's NOTIFY, and a read takes less than a poll.
  const waiting = { wakenBy: [], pollMs: POLL_MS, giveUpAt: now() + waitMs, now }
  const found = await untilFound(waiting, async () => {
    const row = await sessions.byKey({ organizationId, id })
    if (!row || row.sessionState === 'completed' || row.sessionState === 'failed') return 'ended'
    return isIt(row) ? 'so' : null
  })
  return found ?? 'late'
}
