import { and, asc, count, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import type { AgentRecord, StoredReader, TeamRecord } from './stored-port.ts'
import { STORED } from './stored-tables.ts'

/** Reads agents, or teams, by kind. */
export function storedReader(db: Drizzle, kind: 'agent'): StoredReader<AgentRecord>
export function storedReader(db: Drizzle, kind: 'team'): StoredReader<TeamRecord>
export function storedReader(db: Drizzle, kind: 'agent' | 'team'): StoredReader<AgentRecord | TeamRecord> {
  const { table, columns } = STORED[kind]
  return {
    async byId(organizationId, id) {
      const [row] = await db
        .select(columns)
        .from(table)
        .where(and(eq(table.organizationId, organizationId), eq(table.id, id)))
      return row ?? null
    },
    async byIds(organizationId, ids) {
      if (ids.length === 0) return []
      return db
        .select(columns)
        .from(table)
        .where(and(eq(table.organizationId, organizationId), inArray(table.id, [...ids])))
    },
    async page(scope, filter) {
      const projectId = scope.projectId ?? filter.projectId
      const where = and(
        eq(table.organizationId, scope.organizationId),
        projectId === null ? undefined : eq(table.projectId, projectId),
        filter.status && 'status' in table ? eq(table.status, filter.status) : undefined,
      )
      const rows = await db
        .select(columns)
        .from(table)
        .where(where)
        .orderBy(desc(table.createdAt), desc(table.id))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows, () => db.select({ total: count() }).from(table).where(where))
    },
    async list(organizationId) {
      return db
        .select(columns)
        .from(table)
        .where(and(eq(table.organizationId, organizationId), isNotNull(table.slug)))
        .orderBy(asc(table.slug))
    },
  }
}
