import { type OrganizationId, parseId, VoiceSessionId } from '@troupe/contract'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { json } from '../sql/client/columns.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { sessions } from '../tables/runs/sessions.ts'
import { voiceSessions } from '../tables/voice/voice-sessions.ts'
import type { SessionFilter, SessionReader, SessionRecord, StoredSessionMessage } from './port.ts'
import { voiceMessages } from './voice-messages.ts'

const columns = {
  id: sessions.id,
  organizationId: sessions.organizationId,
  projectId: sessions.projectId,
  kind: sessions.kind,
  entityId: sessions.entityId,
  sessionId: sessions.sessionId,
  userId: sessions.userId,
  runs: sessions.lastSeq,
  createdAt: sessions.createdAt,
  lastRunAt: sessions.lastRunAt,
}

function matches({ agentId, teamId }: Pick<SessionFilter, 'agentId' | 'teamId'>): SQL | undefined {
  const of = (kind: string, id: string) => and(eq(sessions.kind, kind), eq(sessions.entityId, id))
  return and(
    agentId === null ? undefined : of('agent', agentId),
    teamId === null ? undefined : of('team', teamId),
  )
}

/** A message `m` of a run `r`. Hand-written, because the folder of runs uses it. */
const message = expression(
  json<StoredSessionMessage>(),
  sql`json_build_object('runId', m.run_id, 'idx', m.idx, 'role', m.role,
  'content', m.content, 'toolCalls', m.tool_calls, 'toolCallId', m.tool_call_id, 'toolName', m.tool_name,
  'isError', m.is_error, 'agentId', m.agent_id, 'agentName', m.agent_name,
  'createdAt', (extract(epoch from m.created_at) * 1000)::bigint, 'citations', case when m.idx = (
    select max(last.idx) from run_messages last where last.run_id = r.id and last.role = 'assistant'
  ) then r.citations end)`,
)

async function isVoiceSession(
  db: Drizzle,
  organizationId: OrganizationId,
  id: VoiceSessionId,
): Promise<boolean> {
  const where = and(eq(voiceSessions.organizationId, organizationId), eq(voiceSessions.id, id))
  return (await db.select({ id: voiceSessions.id }).from(voiceSessions).where(where)).length > 0
}

export function sessionReader(db: Drizzle): SessionReader {
  return {
    async page({ organizationId, projectId }, filter, page) {
      const where = and(
        eq(sessions.organizationId, organizationId),
        eq(sessions.isPlayground, false),
        projectId === null ? undefined : eq(sessions.projectId, projectId),
        matches(filter),
        filter.userId === null ? undefined : eq(sessions.userId, filter.userId),
      )
      const rows = await db
        .select(columns)
        .from(sessions)
        .where(where)
        .orderBy(desc(sessions.createdAt), desc(sessions.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows as SessionRecord[], () =>
        db.select({ total: count() }).from(sessions).where(where),
      )
    },
    async named(organizationId, sessionId, filter) {
      const rows = await db
        .select(columns)
        .from(sessions)
        .where(
          and(
            eq(sessions.organizationId, organizationId),
            eq(sessions.isPlayground, false),
            eq(sessions.sessionId, sessionId),
            matches(filter),
          ),
        )
        .orderBy(desc(sessions.createdAt), desc(sessions.id))
      return rows as SessionRecord[]
    },
    async messages(session, page) {
      const { organizationId, id, kind, sessionId } = session
      // A voice session has the same id as its session of runs; the runs of other sessions are read by an index.
      const voiceId = kind === 'agent' ? parseId(VoiceSessionId, sessionId) : null
      if (voiceId !== null && (await isVoiceSession(db, organizationId, voiceId))) {
        const said = voiceMessages({ organizationId, id, voiceId }, message)
        const rows = await db
          .select({ message: expression(json<StoredSessionMessage>(), sql`said.message`) })
          .from(said)
          .orderBy(sql`said.place, said.part, said.number`)
          .limit(page.limit)
          .offset(offsetOf(page))
        const found = rows.map((row) => row.message)
        return withTotal(page, found, () => db.select({ total: count() }).from(said))
      }
      const from = sql`runs r join run_messages m on m.run_id = r.id`
      const where = sql`r.session_row_id = ${id} and r.organization_id = ${organizationId} and r.session_seq is not null`
      const rows = await db
        .select({ message })
        .from(from)
        .where(where)
        .orderBy(sql`r.session_seq`, sql`m.idx`)
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(
        page,
        rows.map((row) => row.message),
        () => db.select({ total: count() }).from(from).where(where),
      )
    },
  }
}
