import { DomainError, type RunId } from '@troupe/contract'
import { bytesOf, historyBudget } from '../memory/tokens.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { SessionKey, SessionState } from '../ports/run-store.ts'
import { missingCapabilities } from './capabilities.ts'
import type { AgentRunDependencies } from './dependencies.ts'
import { type ResolvedChain, resolveChain } from './resolve-chain.ts'
import type { AgentRunRequest } from './run-request.ts'

/** A run that may start: everything that it will see is frozen here. */
export interface PreparedRun {
  runId: RunId
  request: AgentRunRequest
  agent: AgentSnapshot
  resolved: ResolvedChain
  session: SessionKey
  /** What the session holds; null for a new one. */
  state: SessionState | null
  userId: string
}

/** More runs than any token budget holds; keeps one query bounded. */
const MAX_HISTORY_RUNS = 1_000

async function loadSession(
  deps: AgentRunDependencies,
  request: AgentRunRequest,
  key: SessionKey,
  { agent, resolved }: { agent: AgentSnapshot; resolved: ResolvedChain },
): Promise<SessionState | null> {
  if (request.sessionId === null) return null
  const { enabled, max_runs, max_tokens } = agent.config.memory.history
  const budget = historyBudget(resolved.chain.targets[0].contextLength, max_tokens)
  const state = await deps.store.session(key, {
    maxBytes: enabled ? bytesOf(budget) : 0,
    maxRuns: enabled ? Math.min(max_runs ?? MAX_HISTORY_RUNS, MAX_HISTORY_RUNS) : 0,
  })
  if (state && request.userId !== null && request.userId !== state.ownerUserId) throw sessionOfAnotherUser()
  return state
}

/** The refusal of a session that belongs to somebody else. */
export function sessionOfAnotherUser(): DomainError {
  const message = 'session belongs to a different user'
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'user_id', message }],
  })
}

/**
 * Checks a request in the contract's order and freezes what the run will see. A new session on a warm process costs no
 * read, a continued one a single query.
 *
 * @throws DomainError `agent_not_found`, `forbidden`, `agent_archived`, `llm_configuration_not_found`,
 * `capability_not_available`, `validation_error` (another user's session) or `bad_gateway` (draining).
 */
export async function prepareRun(deps: AgentRunDependencies, request: AgentRunRequest): Promise<PreparedRun> {
  const { organizationId, projectId } = request.scope
  const agent = await deps.catalog.agent(organizationId, request.agentId)
  if (!agent) throw new DomainError('agent_not_found', 'There is no such agent in this organization.')
  if (projectId !== null && agent.projectId !== projectId) {
    throw new DomainError('forbidden', 'The agent does not belong to the project of this API key.')
  }
  if (agent.status === 'archived') {
    throw new DomainError(
      'agent_archived',
      'The agent is archived. Give it another status in its bundle to run it again.',
    )
  }
  const resolved = resolveChain(agent, await deps.catalog.llmConfigurations(organizationId))
  if (!resolved) {
    throw new DomainError(
      'llm_configuration_not_found',
      'The agent has no connected LLM configuration with a model that it may use.',
    )
  }
  const missing = missingCapabilities(agent.config)
  if (missing.length > 0) {
    throw new DomainError(
      'capability_not_available',
      'The agent asks for capabilities that this version does not execute.',
      { errors: missing },
    )
  }
  if (deps.active.draining) {
    throw new DomainError('bad_gateway', 'This server is stopping; the run was not started. Try again.')
  }
  const session: SessionKey = {
    organizationId,
    projectId: agent.projectId,
    kind: 'agent',
    entityId: agent.agentId,
    externalId: request.sessionId ?? deps.newId(),
  }
  const state = await loadSession(deps, request, session, { agent, resolved })
  return {
    runId: deps.newId() as RunId,
    request,
    agent,
    resolved,
    session,
    state,
    userId: request.userId ?? state?.ownerUserId ?? deps.newId(),
  }
}
