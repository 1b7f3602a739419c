import { publicMessages } from '@troupe/agents'
import type { Scope } from '@troupe/agents/ports'
import {
  AgentId,
  checkedId,
  type OPERATIONS,
  type QueryOf,
  type ResultOf,
  type RunId,
  type Session,
  type SessionMessage,
  TeamId,
} from '@troupe/contract'
import type { Readers, SessionRecord, StoredSessionMessage } from '@troupe/storage'
import { findSession } from './find-session.ts'

type Read = Pick<Readers, 'sessions'>
type ListSessions = (typeof OPERATIONS)['listSessions']
type GetSession = (typeof OPERATIONS)['getSession']
type ListMessages = (typeof OPERATIONS)['listSessionMessages']

function presentSession({ kind, entityId, createdAt, lastRunAt, ...session }: SessionRecord): Session {
  const { sessionId, projectId, userId, runs } = session
  return {
    sessionId,
    kind,
    agentId: kind === 'agent' ? checkedId(AgentId, entityId) : null,
    teamId: kind === 'team' ? checkedId(TeamId, entityId) : null,
    projectId,
    userId,
    runs,
    createdAt: createdAt.toISOString(),
    lastRunAt: lastRunAt.toISOString(),
  }
}

/** One page of sessions, newest first. A project scope sees only its own project's. */
export async function listSessions(
  { sessions }: Read,
  scope: Scope,
  { page = 1, limit = 20, ...query }: QueryOf<ListSessions>,
): Promise<ResultOf<ListSessions>> {
  const { agent_id: agentId = null, team_id: teamId = null, user_id: userId = null } = query
  const filter = {
    agentId: agentId === null ? null : checkedId(AgentId, agentId),
    teamId: teamId === null ? null : checkedId(TeamId, teamId),
    userId,
  }
  const { rows, total } = await sessions.page(scope, filter, { page, limit })
  return { data: rows.map(presentSession), total, page, limit }
}

/** @throws DomainError as {@link findSession} */
export async function getSession(
  read: Read,
  scope: Scope,
  sessionId: string,
  query: QueryOf<GetSession>,
): Promise<Session> {
  return presentSession(await findSession(read, scope, sessionId, query))
}

/** One page of the messages of a session's ended runs, oldest first. @throws DomainError as {@link findSession} */
export async function listSessionMessages(
  read: Read,
  scope: Scope,
  sessionId: string,
  { page = 1, limit = 20, ...query }: QueryOf<ListMessages>,
): Promise<ResultOf<ListMessages>> {
  const session = await findSession(read, scope, sessionId, query)
  const { rows, total } = await read.sessions.messages(session, { page, limit })
  const ofRuns = rows.filter(isOfRun)
  const presented = new Map(publicMessages(ofRuns).map((message, index) => [ofRuns[index], message]))
  const data = rows.flatMap((row): SessionMessage[] => {
    const message = isOfRun(row) ? presented.get(row) : spokenAlone(sessionId, row)
    if (!message) return []
    const { citations, interrupted } = row
    return [
      {
        ...message,
        ...(citations && { citations: [...citations] }),
        ...(interrupted !== undefined && { interrupted }),
      },
    ]
  })
  return { data, total, page, limit }
}

function isOfRun(row: StoredSessionMessage): row is StoredSessionMessage & { runId: RunId } {
  return row.runId !== null
}

/** Spoken messages without a run, in a voice session. */
function spokenAlone(
  sessionId: string,
  { idx, role, content, agentId, agentName, createdAt }: StoredSessionMessage,
): SessionMessage {
  const unused = { toolCalls: null, toolCallId: null, toolName: null, isError: null, runId: null }
  const at = Math.floor(createdAt / 1_000)
  return { id: `${sessionId}:${idx}`, role, content, ...unused, agentId, agentName, createdAt: at }
}
