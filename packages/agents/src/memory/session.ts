import { type AgentConfig, DomainError } from '@troupe/contract'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import { bytesOf, historyBudget } from '../chain/tokens.ts'
import type { RunStore, SessionKey, SessionState } from '../ports/run-store.ts'

/** More runs than any token budget holds; bounds the query. */
const MAX_HISTORY_RUNS = 1_000

/** The error for a session that belongs to another user. */
export function sessionOfAnotherUser(): DomainError {
  const message = 'session belongs to a different user'
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'user_id', message }],
  })
}

/** How much history a run with this memory and chain replays. */
export function historyLimits(
  memory: AgentConfig['memory'],
  resolved: ResolvedChain | null,
): { maxBytes: number; maxRuns: number } {
  const { enabled, max_runs, max_tokens } = memory.history
  if (!enabled) return { maxBytes: 0, maxRuns: 0 }
  const budget = historyBudget(resolved?.chain.targets[0].contextLength ?? null, max_tokens)
  return { maxBytes: bytesOf(budget), maxRuns: Math.min(max_runs ?? MAX_HISTORY_RUNS, MAX_HISTORY_RUNS) }
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
  limits: { maxBytes: number; maxRuns: number },
): Promise<SessionState | null> {
  if (given.sessionId === null) return null
  const state = await store.session(key, limits)
  if (state && given.userId !== null && given.userId !== state.ownerUserId) throw sessionOfAnotherUser()
  return state
}
