import type { UnsavedChangesId } from '@troupe/contract'
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { number } from '../sql/client/columns.ts'
import { storableJson } from '../sql/client/storable.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { members } from '../tables/tenants/members.ts'
import { unsavedChanges as unsaved } from '../tables/unsaved-changes/unsaved-changes.ts'
import type { UnsavedChangesUpkeep, UnsavedChangesWriter, UnsavedPlace } from './port.ts'

/** Maximum earlier writes to record. A device whose write is older than these treats it as lost. */
const MOST_BUILT_ON = 100
const builtOnReplaced = sql`(array[${unsaved.changeId}] || ${unsaved.builtOn})[1:${sql.raw(String(MOST_BUILT_ON))}]`

export function unsavedChangesWriter({ db }: WriteContext): UnsavedChangesWriter {
  return {
    async put({ replaces, isOwnReplaced, mostBytes, ...row }) {
      const { changeId, edit, bytes } = row
      const known = [changeId, ...(replaces === null ? [] : [replaces])]
      if (edit !== null && (await bytesBeside(db, row)) + bytes > mostBytes) {
        const stored = await storedChange(db, row)
        return stored === null || known.includes(stored) ? 'full' : 'conflict'
      }
      const [stored] = await db
        .insert(unsaved)
        .values(row)
        .onConflictDoUpdate({
          target: [unsaved.thingId, unsaved.userId],
          set: {
            ...{ changeId, edit, bytes, savedAt: sql`now()` },
            // A repeated write replaces itself.
            ...(!isOwnReplaced && {
              builtOn: sql`case when ${eq(unsaved.changeId, changeId)} then ${unsaved.builtOn} else ${builtOnReplaced} end`,
            }),
          },
          setWhere: sql`${eq(unsaved.organizationId, row.organizationId)} and ${inArray(unsaved.changeId, known)}`,
        })
        .returning({ savedAt: unsaved.savedAt })
      return stored?.savedAt ?? 'conflict'
    },
    async settle({ organizationId, kind, thingId, userId }, { changeId, settledAs }) {
      await db
        .update(unsaved)
        .set({ changeId: settledAs, builtOn: builtOnReplaced, edit: null, bytes: 0, savedAt: sql`now()` })
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
      // A stored document contains no character that `jsonb` refuses.
      const isSame = sql`(${unsaved.edit} -> 'mine')::jsonb = ${storableJson(content)}::jsonb`
      await db
        .update(unsaved)
        .set({
          ...{ changeId: sql`gen_random_uuid()`, builtOn: builtOnReplaced },
          ...{ edit: null, bytes: 0, savedAt: sql`now()` },
        })
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

/** The change id of a member's stored edit of a resource; null without one. */
async function storedChange(
  db: Drizzle,
  { organizationId, userId, thingId }: UnsavedPlace,
): Promise<UnsavedChangesId | null> {
  const [row] = await db
    .select({ changeId: unsaved.changeId })
    .from(unsaved)
    .where(
      and(
        eq(unsaved.organizationId, organizationId),
        eq(unsaved.userId, userId),
        eq(unsaved.thingId, thingId),
      ),
    )
  return row?.changeId ?? null
}

/**
 * Bytes of the member's edits except the one of this resource. Locks the member's row, so that the member's other
 * writes wait until the transaction ends.
 */
async function bytesBeside(db: Drizzle, { organizationId, userId, thingId }: UnsavedPlace): Promise<number> {
  await db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
    .for('no key update')
  const [row] = await db
    .select({ bytes: expression(number(), sql`coalesce(sum(${unsaved.bytes}), 0)::float8`) })
    .from(unsaved)
    .where(
      and(
        eq(unsaved.organizationId, organizationId),
        eq(unsaved.userId, userId),
        ne(unsaved.thingId, thingId),
      ),
    )
  return row?.bytes ?? 0
}

export function unsavedChangesUpkeep(db: Drizzle): UnsavedChangesUpkeep {
  return {
    async sweep(before) {
      await db.delete(unsaved).where(lt(unsaved.savedAt, before))
    },
  }
}
