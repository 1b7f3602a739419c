import { DomainError } from '@troupe/contract'
import { findAgentSubject } from '../agent/agent-subject.ts'
import { givenSession } from '../memory/given-session.ts'
import { historyLimits, loadSession } from '../memory/session.ts'
import type { RunKind, SessionKey } from '../ports/run-store.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject } from '../run/subject.ts'
import { findTeamSubject } from '../team/team-subject.ts'

const FIND_SUBJECT: Record<RunKind, (deps: RunDependencies, request: RunRequest) => Promise<RunSubject>> = {
  agent: findAgentSubject,
  team: findTeamSubject,
}

/**
 * Checks a request in the contract's order and freezes what the run will see. With warm caches a new session
 * costs no read, a continued one a single query.
 *
 * @throws DomainError as the kind's own checks do (`agent_not_found`, `team_not_found`, `forbidden`, …),
 * `validation_error` (another user's session) or `bad_gateway` (draining).
 */
export async function prepareRun(deps: RunDependencies, request: RunRequest): Promise<PreparedRun> {
  const subject = await FIND_SUBJECT[request.kind](deps, request)
  if (deps.active.draining) {
    throw new DomainError('bad_gateway', 'This server is stopping; the run was not started. Try again.')
  }
  const session: SessionKey = {
    organizationId: subject.organizationId,
    projectId: subject.projectId,
    kind: request.kind,
    entityId: request.entityId,
    sessionId: request.sessionId ?? deps.newId(),
  }
  const limits = historyLimits(subject.memory, subject.resolved)
  const state = request.history
    ? givenSession(request.history, request.userId ?? deps.newId(), limits)
    : await loadSession(deps.store, session, request, limits)
  const userId = request.userId ?? state?.ownerUserId ?? deps.newId()
  return { runId: deps.newId(), request, subject, session, state, userId }
}
