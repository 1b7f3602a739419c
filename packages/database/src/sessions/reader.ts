import { and, asc, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Drizzle } from '../drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../drizzle/page.ts'
import { runMessages, runs } from '../runs/table.ts'
import type { SessionFilter, SessionReader, SessionRecord, StoredSessionMessage } from './port.ts'
import { sessions } from './table.ts'

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

export function sessionReader(db: Drizzle): SessionReader {
  return {
    async page({ organizationId, projectId }, filter, page) {
      const where = and(
        eq(sessions.organizationId, organizationId),
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
            eq(sessions.sessionId, sessionId),
            matches(filter),
          ),
        )
        .orderBy(desc(sessions.createdAt), desc(sessions.id))
      return rows as SessionRecord[]
    },
    async messages(id, page) {
      const where = and(eq(runs.sessionRowId, id), isNotNull(runs.sessionSeq))
      const rows = await db
        .select({
          runId: runMessages.runId,
          idx: runMessages.idx,
          role: runMessages.role,
          content: runMessages.content,
          toolCalls: runMessages.toolCalls,
          toolCallId: runMessages.toolCallId,
          toolName: runMessages.toolName,
          isError: runMessages.isError,
          agentId: runMessages.agentId,
          agentName: runMessages.agentName,
          createdAt: sql<number>`(extract(epoch from ${runMessages.createdAt}) * 1000)::bigint`,
          citations: sql<unknown>`case when ${runMessages.idx} = (
            select max(last.idx) from ${runMessages} last where last.run_id = ${runs.id} and last.role = 'assistant'
          ) then ${runs.citations} end`,
        })
        .from(runs)
        .innerJoin(runMessages, eq(runMessages.runId, runs.id))
        .where(where)
        .orderBy(asc(runs.sessionSeq), asc(runMessages.idx))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows as unknown as StoredSessionMessage[], () =>
        db
          .select({ total: count() })
          .from(runs)
          .innerJoin(runMessages, eq(runMessages.runId, runs.id))
          .where(where),
      )
    },
  }
}
