import type { VoiceSessionRecord } from '../sessions/session.ts'
import type { CallResults } from './call-alerts.ts'
import { isDialerDead } from './unseen-answers.ts'

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
