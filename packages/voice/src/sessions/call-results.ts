import type { VoiceSessionRecord } from './session.ts'

/** A dialing process that was silent for longer counts as dead. */
export const DIALER_SILENCE_MS = 5_000

/** Port: counts the results of calls. */
export interface CallResults {
  /** `result` is `answered`, or why the call failed. `sipStatusCode` is the carrier's final status, null without one. */
  callResolved(result: string, sipStatusCode: number | null): void
}

/** Whether the process that dials a call has died, so that none would learn of the answer. */
export function isDialerDead(
  { dialerSeenAt }: Pick<VoiceSessionRecord, 'dialerSeenAt'>,
  now: number,
): boolean {
  return dialerSeenAt !== null && dialerSeenAt.getTime() < now - DIALER_SILENCE_MS
}

/** Counts what became of a call that was not answered. */
export function countFailure(results: CallResults, row: VoiceSessionRecord): void {
  results.callResolved(row.failureReason ?? row.endedReason ?? 'unknown', row.sipStatusCode)
}

/**
 * Counts a call that nobody answered and whose dialing process is dead; a living one counts its call itself, whoever ended it.
 *
 * @param row as the statement that ended the call returned it, so that one process counts
 * @param now milliseconds since the epoch
 */
export function countUnseenFailure(results: CallResults, row: VoiceSessionRecord, now: number): void {
  if (row.kind === 'web' || row.answeredAt !== null) return
  // Before it dials, a process leaves no sign of life, and all that ends its call for it is the deadline of the start.
  const isDead = row.dialerSeenAt === null ? row.endedReason === 'start_failed' : isDialerDead(row, now)
  if (isDead) countFailure(results, row)
}
