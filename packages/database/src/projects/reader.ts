import type { Drizzle } from '@troupe/tables/drizzle/drizzle'
import { projects } from '@troupe/tables/tenants/projects'
import { and, asc, eq } from 'drizzle-orm'
import type { ProjectReader } from './port.ts'

function select(db: Drizzle) {
  const { id, organizationId, slug, name } = projects
  return db.select({ id, organizationId, slug, name }).from(projects).$dynamic()
}

export function projectReader(db: Drizzle): ProjectReader {
  return {
    async byId(organizationId, id) {
      const [row] = await select(db).where(
        and(eq(projects.organizationId, organizationId), eq(projects.id, id)),
      )
      return row ?? null
    },
    async list(organizationId) {
      return select(db).where(eq(projects.organizationId, organizationId)).orderBy(asc(projects.slug))
    },
  }
}
