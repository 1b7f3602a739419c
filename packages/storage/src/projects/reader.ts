import { and, asc, eq } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { projects } from '../tables/tenants/projects.ts'
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
