import { eq, sql } from 'drizzle-orm'
import type { Writers } from '../database.ts'
import { projects } from '../schema/organizations.ts'
import { onlyRow, type WriteContext } from './write-context.ts'

export function projectWriter({ db, signal }: WriteContext): Writers['projects'] {
  return {
    async put({ id, organizationId, slug, name }) {
      const rows = await db
        .insert(projects)
        .values({ id, organizationId, slug, name })
        .onConflictDoUpdate({
          target: projects.id,
          set: { slug, name, updatedAt: sql`now()` },
          // An id that is taken in another organization must not change that organization's project.
          setWhere: eq(projects.organizationId, organizationId),
        })
        .returning({ id: projects.id })
      onlyRow(rows, `project ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
  }
}
