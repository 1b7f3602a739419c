import { and, asc, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { formUploads as uploads } from '../schema/form-uploads.ts'
import type { Drizzle } from '../sql/drizzle.ts'
import type { FormUploads } from './form-types.ts'

/** The rows of uploaded files, outside of any transaction: bytes take longer than one may last. */
export function formUploads(db: Drizzle): FormUploads {
  const idAndKey = { id: uploads.id, storageKey: uploads.storageKey }
  return {
    async insert({ createdAt, ...upload }) {
      const arriving = { contentType: '', sizeBytes: 0, text: '', createdAt: new Date(createdAt) }
      await db.insert(uploads).values({ ...upload, ...arriving })
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
