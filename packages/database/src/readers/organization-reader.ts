import type { OrganizationId } from '@troupe/contract'
import { asc, eq } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import type { OrganizationRecord } from '../records.ts'
import { organizations } from '../schema/organizations.ts'
import type { Drizzle } from '../sql/drizzle.ts'

export function selectOrganizations(db: Drizzle) {
  const { id, slug, name, rpm, concurrentRuns, traceDays, runDays } = organizations
  return db.select({ id, slug, name, rpm, concurrentRuns, traceDays, runDays }).from(organizations).$dynamic()
}

type Row = Awaited<ReturnType<typeof selectOrganizations>>[number]

export function toOrganizationRecord(row: Row): OrganizationRecord {
  return { ...row, id: row.id as OrganizationId }
}

export function organizationReader(db: Drizzle): Readers['organizations'] {
  return {
    async bySlug(slug) {
      const [row] = await selectOrganizations(db).where(eq(organizations.slug, slug))
      return row ? toOrganizationRecord(row) : null
    },
    async byId(id) {
      const [row] = await selectOrganizations(db).where(eq(organizations.id, id))
      return row ? toOrganizationRecord(row) : null
    },
    async all() {
      const rows = await selectOrganizations(db).orderBy(asc(organizations.createdAt), asc(organizations.id))
      return rows.map(toOrganizationRecord)
    },
  }
}
