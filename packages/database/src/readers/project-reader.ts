import type { OrganizationId, ProjectId } from '@troupe/contract'
import { and, asc, eq } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import type { ProjectRecord } from '../records.ts'
import { projects } from '../schema/organizations.ts'
import type { Drizzle } from '../sql/drizzle.ts'

function select(db: Drizzle) {
  const { id, organizationId, slug, name } = projects
  return db.select({ id, organizationId, slug, name }).from(projects).$dynamic()
}

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord(row: Row): ProjectRecord {
  return { ...row, id: row.id as ProjectId, organizationId: row.organizationId as OrganizationId }
}

export function projectReader(db: Drizzle): Readers['projects'] {
  return {
    async byId(organizationId, id) {
      const [row] = await select(db).where(
        and(eq(projects.organizationId, organizationId), eq(projects.id, id)),
      )
      return row ? toRecord(row) : null
    },
    async list(organizationId) {
      const rows = await select(db)
        .where(eq(projects.organizationId, organizationId))
        .orderBy(asc(projects.slug))
      return rows.map(toRecord)
    },
  }
}
