import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { members } from '../tables/tenants/members.ts'
import { users } from '../tables/tenants/users.ts'
import { unsavedChanges as unsaved } from '../tables/unsaved-changes/unsaved-changes.ts'
import type { UnsavedChangesReader, UnsavedPlace } from './port.ts'

const MOST_OTHERS = 20

const ofThing = ({ organizationId, kind, thingId }: UnsavedPlace) =>
  and(eq(unsaved.organizationId, organizationId), eq(unsaved.kind, kind), eq(unsaved.thingId, thingId))

export function unsavedChangesReader(db: Drizzle): UnsavedChangesReader {
  return {
    async find(place) {
      const [row] = await db
        .select({
          changeId: unsaved.changeId,
          builtOn: unsaved.builtOn,
          edit: unsaved.edit,
          savedAt: unsaved.savedAt,
        })
        .from(unsaved)
        .where(and(ofThing(place), eq(unsaved.userId, place.userId)))
      return row ?? null
    },
    others: async (place) =>
      db
        .select({
          userId: unsaved.userId,
          name: users.name,
          changeId: unsaved.changeId,
          savedAt: unsaved.savedAt,
        })
        .from(unsaved)
        .innerJoin(users, eq(users.id, unsaved.userId))
        .innerJoin(
          members,
          and(eq(members.organizationId, unsaved.organizationId), eq(members.userId, unsaved.userId)),
        )
        .where(
          and(
            ofThing(place),
            ne(unsaved.userId, place.userId),
            isNotNull(unsaved.edit),
            eq(members.status, 'active'),
          ),
        )
        .orderBy(desc(unsaved.savedAt), unsaved.userId)
        .limit(MOST_OTHERS),
  }
}
