import { journalStep } from '@troupe/durable-work'
import type { HistoryLimits, SessionState } from '../ports/session-state.ts'
import type { RunContext } from '../run/run-context.ts'
import { SESSION_STATE } from '../run/step-shapes.ts'
import { replayedHistory } from './replayed-history.ts'

/** The session with the history that the first turn replayed. */
const SESSION = journalStep('session', 1, SESSION_STATE)

/**
 * The session as a run's prompt replays it. A resumed job sees the same as its first turn: runs accepted before it may
 * end, and may be summarised, between its turns.
 */
export async function replayedSession(
  { journal }: Pick<RunContext, 'journal'>,
  state: SessionState | null,
  limits: HistoryLimits,
): Promise<SessionState | null> {
  if (!state) return null
  const replayed = () => ({ ...state, history: replayedHistory(state.history, limits) })
  return state.sessionRowId === null ? replayed() : journal.once(SESSION, 'history', async () => replayed())
}
