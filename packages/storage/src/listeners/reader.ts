import { and, desc, eq, getTableColumns, gt, inArray, isNull } from 'drizzle-orm'
import {
  workflowListenerCalls as calls,
  workflowListeners as listeners,
} from '../tables/configuration/listeners.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { organizations } from '../tables/tenants/organizations.ts'
import { users } from '../tables/tenants/users.ts'
import type { ListenerReader } from './port.ts'

const { tokenHash: _hash, startedBy: _by, ...COLUMNS } = getTableColumns(listeners)
const { n: _n, ...CALL_COLUMNS } = getTableColumns(calls)
const { headers: _headers, body: _body, keptBytes: _kept, ...HEAD_COLUMNS } = CALL_COLUMNS

export function listenerReader(db: Drizzle): ListenerReader {
  return {
    async byToken(kind, tokenHash, now) {
      const [row] = await db
        .select({ ...COLUMNS, projectId: workflows.projectId, organizationRpm: organizations.rpm })
        .from(listeners)
        .innerJoin(workflows, eq(workflows.id, listeners.workflowId))
        .innerJoin(organizations, eq(organizations.id, listeners.organizationId))
        .where(
          and(
            eq(listeners.tokenHash, tokenHash),
            eq(listeners.kind, kind),
            gt(listeners.expiresAt, now),
            isNull(workflows.deletedAt),
          ),
        )
      return row ?? null
    },
    list: async (organizationId, workflowId, now) =>
      db
        .select({ ...COLUMNS, startedByName: users.name })
        .from(listeners)
        .leftJoin(users, eq(users.id, listeners.startedBy))
        .where(
          and(
            eq(listeners.organizationId, organizationId),
            eq(listeners.workflowId, workflowId),
            gt(listeners.expiresAt, now),
          ),
        )
        .orderBy(desc(listeners.kind)),
    calls: async (listenerIds) =>
      listenerIds.length === 0
        ? []
        : db
            .select(HEAD_COLUMNS)
            .from(calls)
            .where(inArray(calls.listenerId, [...listenerIds]))
            .orderBy(desc(calls.n)),
    async call(listenerId, id) {
      const [row] = await db
        .select(CALL_COLUMNS)
        .from(calls)
        .where(and(eq(calls.listenerId, listenerId), eq(calls.id, id)))
      return row ?? null
    },
  }
}
