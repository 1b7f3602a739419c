import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { number } from '../sql/client/columns.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { formUploads as uploads } from '../tables/configuration/forms.ts'
import { workflowListeners as listeners } from '../tables/configuration/listeners.ts'
import { type Drizzle, drizzleOver } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import type { FormUpload, FormUploads, UploadQuota } from './port.ts'

/**
 * The rows of uploaded files, outside any transaction of the caller: an upload takes longer than a
 * transaction may.
 */
export function formUploadStore(driver: SqlDriver): FormUploads {
  const db = drizzleOver(driver)
  const idAndKey = { id: uploads.id, storageKey: uploads.storageKey }
  return {
    insert({ createdAt, ...upload }, quota) {
      return driver.transaction(async (client) => {
        const db = drizzleOver(client)
        const { organizationId, sizeBytes } = upload
        // Two concurrent sums would both miss the other's row, so a lock is held until commit. The sum is a
        // separate statement, so that it sees rows committed while this one waited. The lock space differs
        // from that of starts.
        await db.execute(sql`select pg_advisory_xact_lock(2, starts_lock(${organizationId}::uuid))`)
        const waiting = await waitingBytes(db, upload)
        if (exceeds(waiting.all, sizeBytes, quota)) return 'full'
        if (exceeds(waiting.visitor, sizeBytes, quota.visitor)) return 'share_used'
        const arriving = { contentType: '', text: '', createdAt: new Date(createdAt) }
        await db.insert(uploads).values({ ...upload, ...arriving })
        return 'stored'
      })
    },
    async arrived(id, file) {
      await db.update(uploads).set(file).where(eq(uploads.id, id))
    },
    async expired({ unused, used, ofEnded, now }, limit) {
      const neverUsed = await db
        .select(idAndKey)
        .from(uploads)
        .where(and(isNull(uploads.usedAt), lt(uploads.createdAt, new Date(unused))))
        .orderBy(asc(uploads.createdAt))
        .limit(limit)
      const longUsed = await db
        .select(idAndKey)
        .from(uploads)
        .where(and(isNotNull(uploads.usedAt), lt(uploads.usedAt, new Date(used))))
        .orderBy(asc(uploads.usedAt))
        .limit(limit - neverUsed.length)
      const ofListeners = await db
        .select(idAndKey)
        .from(uploads)
        .where(
          and(
            isNotNull(uploads.listenerId),
            lt(uploads.createdAt, new Date(ofEnded)),
            notExists(
              db
                .select({ id: listeners.id })
                .from(listeners)
                .where(and(eq(listeners.id, uploads.listenerId), gt(listeners.expiresAt, new Date(now)))),
            ),
          ),
        )
        .orderBy(asc(uploads.createdAt))
        .limit(limit)
      const found = new Map([...neverUsed, ...longUsed, ...ofListeners].map((one) => [one.id, one]))
      return [...found.values()].slice(0, limit)
    },
    async delete(ids) {
      if (ids.length > 0) await db.delete(uploads).where(inArray(uploads.id, [...ids]))
    },
  }
}

type Waiting = Pick<UploadQuota, 'workflowBytes' | 'organizationBytes'>

function exceeds(waiting: Waiting, sizeBytes: number, quota: Waiting): boolean {
  const { workflowBytes, organizationBytes } = quota
  return (
    waiting.workflowBytes + sizeBytes > workflowBytes ||
    waiting.organizationBytes + sizeBytes > organizationBytes
  )
}

/** Bytes of unused uploads, in total and of the visitor. */
async function waitingBytes(
  db: Drizzle,
  { organizationId, workflowId, visitor }: Pick<FormUpload, 'organizationId' | 'workflowId' | 'visitor'>,
): Promise<{ all: Waiting; visitor: Waiting }> {
  const isHere = eq(uploads.workflowId, workflowId)
  const isVisitors = eq(uploads.visitor, visitor)
  const bytes = (where?: SQL) =>
    expression(
      number(),
      sql`coalesce(sum(${uploads.sizeBytes})${where ? sql` filter (where ${where})` : sql``}, 0)::float8`,
    )
  const [row] = await db
    .select({
      all: { workflowBytes: bytes(isHere), organizationBytes: bytes() },
      visitor: { workflowBytes: bytes(and(isHere, isVisitors)), organizationBytes: bytes(isVisitors) },
    })
    .from(uploads)
    .where(and(eq(uploads.organizationId, organizationId), isNull(uploads.usedAt)))
  if (!row) throw new Error('a sum without a row')
  return row
}
