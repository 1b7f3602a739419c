import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { type Drizzle, drizzleOver } from '../sql/drizzle.ts'
import type { SqlDriver } from '../sql/sql-client.ts'
import type { FormUpload, FormUploads } from './port.ts'
import { formUploads as uploads } from './table.ts'

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
        if (waiting.workflow + sizeBytes > quota.workflowBytes) return false
        if (waiting.organization + sizeBytes > quota.organizationBytes) return false
        const arriving = { contentType: '', text: '', createdAt: new Date(createdAt) }
        await db.insert(uploads).values({ ...upload, ...arriving })
        return true
      })
    },
    async arrived(id, file) {
      await db.update(uploads).set(file).where(eq(uploads.id, id))
    },
    async expired({ unused, used }, limit) {
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
      return [...neverUsed, ...longUsed]
    },
    async delete(ids) {
      if (ids.length > 0) await db.delete(uploads).where(inArray(uploads.id, [...ids]))
    },
  }
}

/** Bytes that wait for their submission. */
async function waitingBytes(
  db: Drizzle,
  { organizationId, workflowId }: Pick<FormUpload, 'organizationId' | 'workflowId'>,
): Promise<{ organization: number; workflow: number }> {
  const { sizeBytes } = uploads
  const [row] = await db
    .select({
      organization: sql<number>`coalesce(sum(${sizeBytes}), 0)::float8`,
      workflow: sql<number>`coalesce(sum(${sizeBytes}) filter (where ${eq(uploads.workflowId, workflowId)}), 0)::float8`,
    })
    .from(uploads)
    .where(and(eq(uploads.organizationId, organizationId), isNull(uploads.usedAt)))
  if (!row) throw new Error('a sum without a row')
  return row
}
