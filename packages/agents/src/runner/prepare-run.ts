import { ConversationId, DomainError, EndUserId, RunId } from '@troupe/contract'
import { findAgentSubject } from '../agent/agent-subject.ts'
import { givenSession } from '../memory/given-session.ts'
import { historyLimits, loadSession } from '../memory/session.ts'
import type { RunnableKind, SessionKey } from '../ports/run-store.ts'
import type { RunDependencies, RunRows } from '../run/dependencies.ts'
import { pricesOf } from '../run/estimate-call.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject } from '../run/subject.ts'
import { findTeamSubject } from '../team/team-subject.ts'

const FIND_SUBJECT: Record<RunnableKind, (deps: RunRows, request: RunRequest) => Promise<RunSubject>> = {
  agent: findAgentSubject,
  team: findTeamSubject,
}

/**
 * Whether a budget of the organization or the project applies to the run.
 *
 * @throws DomainError `model_price_missing` if it counts dollars and a model of the run has no price
 */
async function isBudgeted({ catalog }: RunRows, subject: RunSubject): Promise<boolean> {
  const all = await catalog.modelBudgets(subject.organizationId)
  const budgets = all.filter(({ projectId }) => projectId === null || projectId === subject.projectId)
  const needsPrices = budgets.some(({ metric }) => metric === 'llm_cost_usd')
  if (needsPrices && subject.chains.some((chain) => pricesOf(chain) === null)) {
    throw new DomainError(
      'model_price_missing',
      'The organization has a cost budget, which needs a price for every model of the run.',
    )
  }
  return budgets.length > 0
}

/**
 * Checks a request in the contract's order and freezes the inputs of the run. With warm caches a new session costs no
 * read, a continued one a single query.
 *
 * @throws DomainError as the kind's own checks do (`agent_not_found`, `team_not_found`, `forbidden`, …),
 * `validation_error` (another user's session), `model_price_missing` or `bad_gateway` (draining).
 */
export async function prepareRun(deps: RunDependencies, request: RunRequest): Promise<PreparedRun> {
  const subject = await FIND_SUBJECT[request.kind](deps, request)
  // A caller waits for a voice turn's words, and with a single server no other process could provide them.
  const isRefused = request.source === 'voice' ? deps.active.closed : deps.active.draining
  if (isRefused) {
    throw new DomainError('bad_gateway', 'This server is stopping; the run was not started. Try again.')
  }
  // Runs of workflow nodes belong to a run that was checked.
  const budgeted = request.source !== 'workflow' && (await isBudgeted(deps, subject))
  const session: SessionKey = {
    organizationId: subject.organizationId,
    projectId: subject.projectId,
    kind: request.kind,
    entityId: request.entityId,
    sessionId: request.sessionId ?? deps.newId(ConversationId),
    isPlayground: request.source === 'playground' || (request.isTest ?? false),
  }
  const limits = historyLimits(subject.memory, subject.resolved)
  const state = request.history
    ? givenSession(request.history, request.userId ?? deps.newId(EndUserId), limits)
    : await loadSession(deps.store, session, request, limits)
  const userId = request.userId ?? state?.ownerUserId ?? deps.newId(EndUserId)
  return { runId: deps.newId(RunId), request, subject, session, state, userId, isBudgeted: budgeted }
}
