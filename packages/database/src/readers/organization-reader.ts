import type { OrganizationId } from '@troupe/contract'
import { asc, eq } from 'drizzle-orm'
import type { OrganizationRecord, Readers } from '../database.ts'
import { organizations } from '../schema/organizations.ts'
import type { Drizzle } from '../sql/drizzle.ts'

function select(db: Drizzle) {
  const { id, slug, name, rpm, concurrentRuns } = organizations
  return db.select({ id, slug, name, rpm, concurrentRuns }).from(organizations).$dynamic()
}

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord(row: Row): OrganizationRecord {
  return { ...row, id: row.id as OrganizationId }
}

export function organizationReader(db: Drizzle): Readers['organizations'] {
  return {
    async bySlug(slug) {
      const [row] = await select(db).where(eq(organizations.slug, slug))
      return row ? toRecord(row) : null
    },
    async byId(id) {
      const [row] = await select(db).where(eq(organizations.id, id))
      return row ? toRecord(row) : null
    },
    async all() {
      const rows = await select(db).orderBy(asc(organizations.createdAt), asc(organizations.id))
      return rows.map(toRecord)
    },
  }
}
