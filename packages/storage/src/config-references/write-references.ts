import type { ConfigReference, OrganizationId } from '@troupe/contract'
import { and, eq, sql } from 'drizzle-orm'
import { storableJson } from '../sql/client/storable.ts'
import { configReferences } from '../tables/configuration/config-references.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'

/** An owner of references to other configurations. */
export interface ReferenceOwner {
  organizationId: OrganizationId
  kind: (typeof configReferences.$inferSelect)['ownerKind']
  id: string
}

/**
 * Writes the current references of an owner, in one statement. The caller has written the owner's row in the same
 * transaction, which serialises two saves of one owner.
 *
 * @param former the paths whose references may have disappeared; by default, all other paths of the owner
 */
export async function writeReferences(
  db: Drizzle,
  { organizationId, kind, id }: ReferenceOwner,
  references: readonly ConfigReference[],
  former: readonly string[] | null = null,
): Promise<void> {
  // A draft may have two nodes with one id until it is published.
  await db.execute(sql`
with wanted as (
  select distinct on (w.path) w.* from json_to_recordset(${storableJson(references)}::json) as w (path text, kind text, id uuid, slug text)
), gone as (
  delete from config_references r
  where r.owner_kind = ${kind} and r.owner_id = ${id}::uuid and not exists (select from wanted w where w.path = r.path)
    and (${former && storableJson(former)}::json is null or r.path in (select json_array_elements_text(${former && storableJson(former)}::json)))
)
insert into config_references (organization_id, owner_kind, owner_id, path, target_kind, target_id, target_slug)
select ${organizationId}::uuid, ${kind}, ${id}::uuid, w.path, w.kind, w.id, w.slug from wanted w
on conflict (owner_kind, owner_id, path) do update
  set target_kind = excluded.target_kind, target_id = excluded.target_id, target_slug = excluded.target_slug
  where (config_references.target_kind, config_references.target_id, config_references.target_slug)
    is distinct from (excluded.target_kind, excluded.target_id, excluded.target_slug)`)
}

/** Removes the references of a deleted owner. */
export async function deleteReferences(
  db: Drizzle,
  { organizationId, kind, id }: ReferenceOwner,
): Promise<void> {
  await db
    .delete(configReferences)
    .where(
      and(
        eq(configReferences.organizationId, organizationId),
        eq(configReferences.ownerKind, kind),
        eq(configReferences.ownerId, id),
      ),
    )
}
