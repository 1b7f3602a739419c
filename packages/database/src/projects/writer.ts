import { projects } from '@troupe/tables/tenants/projects'
import { eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../drizzle/write-context.ts'
import type { ProjectWriter } from './port.ts'

export function projectWriter({ db, signal }: WriteContext): ProjectWriter {
  return {
    async put({ id, organizationId, slug, name }) {
      const rows = await db
        .insert(projects)
        .values({ id, organizationId, slug, name })
        .onConflictDoUpdate({
          target: projects.id,
          set: { slug, name, updatedAt: sql`now()` },
          // An id that another organization already uses must not change that organization's project.
          setWhere: eq(projects.organizationId, organizationId),
        })
        .returning({ id: projects.id })
      onlyRow(rows, `project ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
  }
}
