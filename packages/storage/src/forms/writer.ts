import { and, asc, eq, gte, inArray, isNull } from 'drizzle-orm'
import { formUploads } from '../tables/configuration/forms.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { FormWriter } from './port.ts'

const usedColumns = {
  id: formUploads.id,
  field: formUploads.field,
  filename: formUploads.filename,
  contentType: formUploads.contentType,
  sizeBytes: formUploads.sizeBytes,
  text: formUploads.text,
}

export function formWriter({ db, signal }: WriteContext): FormWriter {
  return {
    async putSettings(organizationId, workflowId, settings) {
      const rows = await db
        .update(workflows)
        .set({
          formTokenHash: settings.tokenHash,
          formTokenSealed: settings.tokenSealed,
          formUsername: settings.credentials?.username ?? null,
          formPasswordHash: settings.credentials?.passwordHash ?? null,
          formCredentialVersion: settings.credentialVersion,
        })
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
        .returning({ id: workflows.id })
      onlyRow(rows, `workflow ${workflowId} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async takeUploads({ workflowId, listenerId, ids, notBefore, usedAt }) {
      if (ids.length === 0) return []
      // A fixed lock order: two submissions that name the same uploads must not deadlock. The second reads
      // the row again after the first has committed, and finds it used.
      const unused = await db
        .select({ id: formUploads.id })
        .from(formUploads)
        .where(
          and(
            inArray(formUploads.id, [...ids]),
            eq(formUploads.workflowId, workflowId),
            listenerId === null ? isNull(formUploads.listenerId) : eq(formUploads.listenerId, listenerId),
            isNull(formUploads.usedAt),
            gte(formUploads.createdAt, new Date(notBefore)),
          ),
        )
        .orderBy(asc(formUploads.id))
        .for('update')
      if (unused.length === 0) return []
      const unusedIds = unused.map(({ id }) => id)
      return db
        .update(formUploads)
        .set({ usedAt: new Date(usedAt) })
        .where(inArray(formUploads.id, unusedIds))
        .returning(usedColumns)
    },
    async settleUploads(ids, executionId) {
      if (ids.length === 0) return
      await db
        .update(formUploads)
        .set(executionId === null ? { usedAt: null } : { executionId })
        .where(inArray(formUploads.id, [...ids]))
    },
    async deleteUpload(organizationId, id) {
      const deleted = await db
        .delete(formUploads)
        .where(and(eq(formUploads.organizationId, organizationId), eq(formUploads.id, id)))
        .returning({ id: formUploads.id })
      return deleted.length > 0
    },
  }
}
