import { eq, sql } from 'drizzle-orm'
import type { Writers } from '../database.ts'
import { selectOrganizations, toOrganizationRecord } from '../readers/organization-reader.ts'
import { organizations } from '../schema/organizations.ts'
import type { WriteContext } from './write-context.ts'

export function organizationWriter({ db, signal }: WriteContext): Writers['organizations'] {
  return {
    async lock(id) {
      const [row] = await selectOrganizations(db).where(eq(organizations.id, id)).for('update')
      return row ? toOrganizationRecord(row) : null
    },
    async insert({ id, slug, name, rpm, concurrentRuns, traceDays, runDays }) {
      await db.insert(organizations).values({ id, slug, name, rpm, concurrentRuns, traceDays, runDays })
      signal({ kind: 'config_changed', organizationId: id })
    },
    async put(record) {
      const { id, slug, name, rpm, concurrentRuns, traceDays, runDays } = record
      const values = { slug, name, rpm, concurrentRuns, traceDays, runDays }
      await db
        .insert(organizations)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: organizations.id, set: { ...values, updatedAt: sql`now()` } })
      signal({ kind: 'config_changed', organizationId: id })
    },
  }
}
