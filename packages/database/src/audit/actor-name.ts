import { apiKeys } from '@troupe/tables/tenants/api-keys'
import { users } from '@troupe/tables/tenants/users'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** An actor as it is stored: its kind, and the id of the user or the key. */
interface StoredActor {
  organizationId: SQLWrapper
  kind: SQLWrapper
  id: SQLWrapper
}

/** The name of an actor; null for the operator and the system, and when the user or the key no longer exists. */
export function actorName({ organizationId, kind, id }: StoredActor): SQL<string | null> {
  // The column is text, and only a checked cast can use the indexes of the ids.
  const uuid = sql`case when ${id} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${id}::uuid end`
  return sql<string | null>`case ${kind}
    when 'user' then (select actor.name from ${users} actor where actor.id = ${uuid})
    when 'api_key' then (select actor.name from ${apiKeys} actor
      where actor.organization_id = ${organizationId} and actor.id = ${uuid})
  end`
}
