import { eq, sql } from 'drizzle-orm'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { organizations } from '../tables/tenants/organizations.ts'
import type { OrganizationWriter } from './port.ts'
import { selectOrganizations } from './reader.ts'

export function organizationWriter({ db, signal }: WriteContext): OrganizationWriter {
  return {
    async lock(id) {
      // Inserts of rows with a foreign key to the organization do not wait for this.
      const [row] = await selectOrganizations(db).where(eq(organizations.id, id)).for('no key update')
      return row ?? null
    },
    async hold(id) {
      await db
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, id))
        .for('share')
    },
    async holdResourceId(id) {
      // The lock space differs from those of starts, uploads, memories and listeners.
      await db.execute(sql`select pg_advisory_xact_lock(5, hashtext(${id}::uuid::text))`)
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
        .onConflictDoUpdate({
          target: organizations.id,
          set: { ...values, version: sql`${organizations.version} + 1`, updatedAt: sql`now()` },
        })
      signal({ kind: 'config_changed', organizationId: id })
    },
  }
}
