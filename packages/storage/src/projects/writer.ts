import { and, eq, sql } from 'drizzle-orm'
import { workflows } from '../tables/configuration/workflows.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { projects } from '../tables/tenants/projects.ts'
import type { ProjectWriter } from './port.ts'

export function projectWriter({ db, signal }: WriteContext): ProjectWriter {
  return {
    async insert(record) {
      await db.insert(projects).values(record)
      signal({ kind: 'config_changed', organizationId: record.organizationId })
    },
    async put({ id, organizationId, slug, name }) {
      const rows = await db
        .insert(projects)
        .values({ id, organizationId, slug, name })
        .onConflictDoUpdate({
          target: projects.id,
          set: { slug, name, version: sql`${projects.version} + 1`, updatedAt: sql`now()` },
          // An id that another organization already uses must not change that organization's project.
          setWhere: eq(projects.organizationId, organizationId),
        })
        .returning({ id: projects.id })
      onlyRow(rows, `project ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async lock(organizationId, id) {
      const rows = await db
        .select({ id: projects.id })
        .from(projects)
        .where(and(eq(projects.organizationId, organizationId), eq(projects.id, id)))
        .for('update')
      return rows.length === 1
    },
    async delete(organizationId, id) {
      await db
        .update(workflows)
        .set({ projectId: null })
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.projectId, id)))
      await db.delete(projects).where(and(eq(projects.organizationId, organizationId), eq(projects.id, id)))
      signal({ kind: 'config_changed', organizationId })
    },
  }
}
