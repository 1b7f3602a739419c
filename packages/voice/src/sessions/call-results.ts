import type { VoiceSessionRecord } from './session.ts'

/** A dialing process that was silent for longer counts as dead. */
export const DIALER_SILENCE_MS = 5_000

/** Port: counts the results of calls. */
export interface CallResults {
  /** `result` is `answered`, or why the call failed. `sipStatusCode` is the carrier's final status, null without one. */
  callResolved(result: string, sipStatusCode: number | null): void
}

/** Whether the process that dials a call has died, so that no process would notice the answer. */
export function isDialerDead(
  { dialerSeenAt }: Pick<VoiceSessionRecord, 'dialerSeenAt'>,
  now: number,
): boolean {
  return dialerSeenAt !== null && dialerSeenAt.getTime() < now - DIALER_SILENCE_MS
}

/** Counts the result of an unanswered call. */
export function countFailure(results: CallResults, row: VoiceSessionRecord): void {
  results.callResolved(row.failureReason ?? row.endedReason ?? 'unknown', row.sipStatusCode)
}

/**
 * Counts an unanswered call whose dialing process is dead; a living one counts its call itself, whichever process ended
 * it.
 *
 * @param row as returned by the statement that ended the call, so that only one process counts it
 * @param now milliseconds since the epoch
 */
export function countUnseenFailure(results: CallResults, row: VoiceSessionRecord, now: number): void {
  if (row.kind === 'web' || row.answeredAt !== null) return
  // Before the dialing a process records no sign of life, and only the deadline of the start ends its call.
  const isDead = row.dialerSeenAt === null ? row.endedReason === 'start_failed' : isDialerDead(row, now)
  if (isDead) countFailure(results, row)
}
