import { asc, eq } from 'drizzle-orm'
import { storableText } from '../sql/client/storable.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { organizations } from '../tables/tenants/organizations.ts'
import type { OrganizationReader } from './port.ts'

export function selectOrganizations(db: Drizzle) {
  const { id, slug, name, rpm, concurrentRuns, traceDays, runDays, version } = organizations
  const columns = { id, slug, name, rpm, concurrentRuns, traceDays, runDays, version }
  return db.select(columns).from(organizations).$dynamic()
}

export function organizationReader(db: Drizzle): OrganizationReader {
  return {
    async bySlug(slug) {
      // The id is part of a path, which may hold any characters: PostgreSQL refuses NUL.
      const [row] = await selectOrganizations(db).where(eq(organizations.slug, storableText(slug)))
      return row ?? null
    },
    async byId(id) {
      const [row] = await selectOrganizations(db).where(eq(organizations.id, id))
      return row ?? null
    },
    async all() {
      return selectOrganizations(db).orderBy(asc(organizations.createdAt), asc(organizations.id))
    },
  }
}
