import type { OrganizationId, ProjectId } from '@troupe/contract'
import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'
import { storableJson, storableText } from '../../sql/client/storable.ts'

/** Text that users or models may have written: characters that PostgreSQL cannot store are replaced. */
export const freeText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storableText,
})

/**
 * A JSON document. `json`, not `jsonb`: `jsonb` sorts keys, and the order of a tool schema's or an output schema's
 * properties changes what models write. Nothing
 * queries inside these documents, except whether one says `expose` (partial indexes).
 */
export const document = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  toDriver: storableJson,
})

/**
 * A timestamp with millisecond precision, as in JavaScript, so that a value read equals the value written.
 */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
}

/** When the row was written, by the database's clock. */
export function createdAt() {
  return moment('created_at').notNull().defaultNow()
}

/** The organization that owns the row; on every table of tenant data. */
export function organizationId() {
  return uuid('organization_id').$type<OrganizationId>().notNull()
}

/** The project that owns the row; null for the organization's own level. */
export function projectId() {
  return uuid('project_id').$type<ProjectId>()
}
