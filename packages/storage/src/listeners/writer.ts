import type { ListenerId } from '@troupe/contract'
import { and, count, eq, gt, isNull, lte, ne, or, sql } from 'drizzle-orm'
import {
  workflowListenerCalls as calls,
  workflowListeners as listeners,
} from '../tables/configuration/listeners.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { ListenerUpkeep, ListenerWriter } from './port.ts'

/** Maximum open listeners per organization. */
const MOST_OPEN = 40
/**
 * Maximum stored calls per listener. Refused calls are counted separately: sending them needs no secret, so they must
 * not evict accepted ones.
 */
const MOST_CALLS = { accepted: 20, acceptedBytes: 4 * 1024 * 1024, refused: 20 }

export function listenerWriter({ db }: WriteContext): ListenerWriter {
  return {
    async start(listener, now) {
      const { organizationId, workflowId, kind, expiresAt } = listener
      // Two concurrent counts would both miss the other's row. The lock space differs from those of starts, uploads and
      // memories.
      await db.execute(sql`select pg_advisory_xact_lock(4, starts_lock(${organizationId}::uuid))`)
      // A concurrent delete waits for this row lock and then deletes the listener too. If the delete was first, this
      // read finds no workflow.
      const [living] = await db
        .select({ id: workflows.id })
        .from(workflows)
        .where(
          and(
            eq(workflows.organizationId, organizationId),
            eq(workflows.id, workflowId),
            isNull(workflows.deletedAt),
          ),
        )
        .for('share')
      if (!living) return 'deleted'
      const isOwn = and(eq(listeners.workflowId, workflowId), eq(listeners.kind, kind))
      await db.delete(listeners).where(and(isOwn, lte(listeners.expiresAt, now)))
      const [open] = await db
        .select({ count: count() })
        .from(listeners)
        .where(
          and(
            eq(listeners.organizationId, organizationId),
            gt(listeners.expiresAt, now),
            or(ne(listeners.workflowId, workflowId), ne(listeners.kind, kind)),
          ),
        )
      if ((open?.count ?? 0) >= MOST_OPEN) return 'full'
      const [row] = await db
        .insert(listeners)
        .values({ ...listener, createdAt: now })
        .onConflictDoUpdate({
          target: [listeners.workflowId, listeners.kind],
          set: { expiresAt: sql`greatest(${listeners.expiresAt}, ${expiresAt.toISOString()}::timestamptz)` },
        })
        .returning()
      if (!row) throw new Error('an upsert without a row')
      return row
    },
    async stop(organizationId, workflowId, id) {
      const gone = await db
        .delete(listeners)
        .where(
          and(
            eq(listeners.organizationId, organizationId),
            eq(listeners.workflowId, workflowId),
            eq(listeners.id, id),
          ),
        )
        .returning({ id: listeners.id })
      return gone.length > 0
    },
    async record(call) {
      const { listenerId, receivedAt } = call
      // Locks the listener's row: concurrent calls are numbered one after the other, and a stop either waits for this
      // call or leaves no row for it.
      const [counted] = await db
        .update(listeners)
        .set({ calls: sql`${listeners.calls} + 1` })
        .where(and(eq(listeners.id, listenerId), gt(listeners.expiresAt, receivedAt)))
        .returning({ n: listeners.calls })
      if (!counted) return false
      await db.insert(calls).values({ ...call, n: counted.n })
      await deleteOldCalls(db, listenerId)
      return true
    },
  }
}

async function deleteOldCalls(db: Drizzle, listenerId: ListenerId): Promise<void> {
  await db.execute(sql`
    delete from workflow_listener_calls c using (
      select id, verdict = 'accepted' as accepted, row_number() over newest as place, sum(kept_bytes) over newest as bytes
      from workflow_listener_calls where listener_id = ${listenerId}::uuid
      window newest as (partition by verdict = 'accepted' order by n desc)
    ) one
    where c.id = one.id and case when one.accepted
      then one.place > ${MOST_CALLS.accepted}::int or (one.place > 1 and one.bytes > ${MOST_CALLS.acceptedBytes}::int)
      else one.place > ${MOST_CALLS.refused}::int end`)
}

export function listenerUpkeep(db: Drizzle): ListenerUpkeep {
  return {
    async sweep(now) {
      await db.delete(listeners).where(lte(listeners.expiresAt, now))
    },
  }
}
