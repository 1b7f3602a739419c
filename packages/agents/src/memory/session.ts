import { type AgentConfig, type DomainError, invalidField } from '@troupe/contract'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import { bytesOf, historyBudget } from '../chain/tokens.ts'
import type { RunStore, SessionKey } from '../ports/run-store.ts'
import type { HistoryLimits, SessionHistoryLimits, SessionState } from '../ports/session-state.ts'
import { withFittingSteps } from './replayed-history.ts'

/** More runs than any token budget holds; bounds the query. */
const MAX_HISTORY_RUNS = 1_000

/** Maximum share of tool calls in the history. */
const TOOL_SHARE = 0.25
/** The maximum share for the state of steps that is sent back to providers. */
const STATE_SHARE = 0.5

/** The error for a session that belongs to another user. */
export function sessionOfAnotherUser(): DomainError {
  return invalidField('user_id', 'session belongs to a different user')
}

/** The history limits of a run with this memory and chain. */
export function historyLimits(memory: AgentConfig['memory'], resolved: ResolvedChain | null): HistoryLimits {
  const { enabled, max_runs, max_tokens, tool_traffic_runs: toolRuns } = memory.history
  if (!enabled) return { maxBytes: 0, maxRuns: 0, toolRuns: 0, toolBytes: 0, stateBytes: 0 }
  const budget = historyBudget(resolved?.chain.targets[0].contextLength ?? null, max_tokens)
  const maxBytes = bytesOf(budget)
  const maxRuns = Math.min(max_runs ?? MAX_HISTORY_RUNS, MAX_HISTORY_RUNS)
  const share = (part: number) => Math.floor(maxBytes * part)
  return { maxBytes, maxRuns, toolRuns, toolBytes: share(TOOL_SHARE), stateBytes: share(STATE_SHARE) }
}

/** A stored session with the tool calls that a run of it may replay; null if it does not exist yet. */
export async function readSessionState(
  store: Pick<RunStore, 'session'>,
  key: SessionKey,
  limits: SessionHistoryLimits,
): Promise<SessionState | null> {
  const state = await store.session(key, limits)
  return state && { ...state, history: withFittingSteps(state.history, limits) }
}

/**
 * The session of a request: one query when the caller continues a session, none for a new one.
 *
 * @throws DomainError `validation_error` when it belongs to another user.
 */
export async function loadSession(
  store: Pick<RunStore, 'session'>,
  key: SessionKey,
  given: { sessionId: string | null; userId: string | null },
  limits: HistoryLimits,
): Promise<SessionState | null> {
  if (given.sessionId === null) return null
  const state = await readSessionState(store, key, { ...limits, beforeSeq: null })
  if (state && given.userId !== null && given.userId !== state.ownerUserId) throw sessionOfAnotherUser()
  return state
}
