import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { storableJson } from '../sql/client/storable.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { unsavedChanges as unsaved } from '../tables/unsaved-changes/unsaved-changes.ts'
import type { UnsavedChangesUpkeep, UnsavedChangesWriter } from './port.ts'

export function unsavedChangesWriter({ db }: WriteContext): UnsavedChangesWriter {
  return {
    async put({ replaces, ...row }) {
      const { changeId, edit, bytes } = row
      const known = [changeId, ...(replaces === null ? [] : [replaces])]
      const [stored] = await db
        .insert(unsaved)
        .values(row)
        .onConflictDoUpdate({
          target: [unsaved.thingId, unsaved.userId],
          set: { changeId, edit, bytes, savedAt: sql`now()` },
          setWhere: sql`${eq(unsaved.organizationId, row.organizationId)} and ${inArray(unsaved.changeId, known)}`,
        })
        .returning({ savedAt: unsaved.savedAt })
      return stored?.savedAt ?? null
    },
    async settle({ organizationId, kind, thingId, userId }, { changeId, settledAs }) {
      await db
        .update(unsaved)
        .set({ changeId: settledAs, edit: null, bytes: 0, savedAt: sql`now()` })
        .where(
          and(
            eq(unsaved.organizationId, organizationId),
            eq(unsaved.kind, kind),
            eq(unsaved.thingId, thingId),
            eq(unsaved.userId, userId),
            eq(unsaved.changeId, changeId),
          ),
        )
    },
    async settleOthers({ organizationId, kind, thingId, userId }, content) {
      // A stored document has no character that `jsonb` refuses.
      const isSame = sql`(${unsaved.edit} -> 'mine')::jsonb = ${storableJson(content)}::jsonb`
      await db
        .update(unsaved)
        .set({ changeId: sql`gen_random_uuid()`, edit: null, bytes: 0, savedAt: sql`now()` })
        .where(
          and(
            eq(unsaved.organizationId, organizationId),
            eq(unsaved.kind, kind),
            eq(unsaved.thingId, thingId),
            ne(unsaved.userId, userId),
            isSame,
          ),
        )
    },
  }
}

export function unsavedChangesUpkeep(db: Drizzle): UnsavedChangesUpkeep {
  return {
    async sweep(before) {
      await db.delete(unsaved).where(lt(unsaved.savedAt, before))
    },
  }
}
