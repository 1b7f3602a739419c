import { sql } from 'drizzle-orm'
import type { Writers } from '../database.ts'
import { organizations } from '../schema/organizations.ts'
import type { WriteContext } from './write-context.ts'

export function organizationWriter({ db, signal }: WriteContext): Writers['organizations'] {
  return {
    async put(record) {
      const { id, slug, name, rpm, concurrentRuns } = record
      const values = { slug, name, rpm, concurrentRuns }
      await db
        .insert(organizations)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: organizations.id, set: { ...values, updatedAt: sql`now()` } })
      signal({ kind: 'config_changed', organizationId: id })
    },
  }
}
