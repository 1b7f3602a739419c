import { and, asc, count, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { agents } from '../agents/table.ts'
import type { Drizzle } from '../drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../drizzle/page.ts'
import { areNamed, isNewest, skillColumns } from './columns.ts'
import type { SkillReader } from './port.ts'
import { skills, skillVersions as versions } from './table.ts'

const MOST_AGENTS = 10

export function skillReader(db: Drizzle): SkillReader {
  const newest = () => db.select(skillColumns).from(skills).innerJoin(versions, isNewest)
  return {
    async byId(organizationId, id) {
      const [row] = await newest().where(and(eq(skills.organizationId, organizationId), eq(skills.id, id)))
      return row ?? null
    },
    async page({ organizationId, projectId }, page) {
      const where = and(
        eq(skills.organizationId, organizationId),
        projectId === null ? undefined : eq(skills.projectId, projectId),
      )
      const rows = await newest()
        .where(where)
        .orderBy(desc(skills.createdAt), desc(skills.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows, () => db.select({ total: count() }).from(skills).where(where))
    },
    async named(organizationId, names, numbers) {
      const wanted = or(eq(versions.version, skills.newestVersion), inArray(versions.version, [...numbers]))
      return db
        .select(skillColumns)
        .from(skills)
        .innerJoin(versions, and(eq(versions.skillId, skills.id), wanted))
        .where(areNamed(organizationId, names))
    },
    async list(organizationId) {
      return newest()
        .where(eq(skills.organizationId, organizationId))
        .orderBy(asc(skills.slug), asc(skills.id))
    },
    async texts({ organizationId, id, version }, path) {
      const text = sql<string | null>`${versions.texts}->>${path ?? ''}::text`
      const [row] = await db
        .select(path === undefined ? { all: versions.texts } : { text })
        .from(versions)
        .innerJoin(skills, eq(versions.skillId, skills.id))
        .where(
          and(eq(skills.organizationId, organizationId), eq(skills.id, id), eq(versions.version, version)),
        )
      if (!row) return null
      if ('all' in row) return row.all
      return path === undefined || row.text === null ? {} : { [path]: row.text }
    },
    async agentsUsing({ organizationId, projectId, id, slug }) {
      const named = (by: object) =>
        sql`lower((${agents.config}->'skills')::text)::jsonb @> ${JSON.stringify([by])}::jsonb`
      // An agent of the organization level finds no skill of a project by its slug.
      const seesSlug = projectId === null ? undefined : eq(agents.projectId, projectId)
      return db
        .select({ id: agents.id, name: agents.name })
        .from(agents)
        .where(
          and(
            eq(agents.organizationId, organizationId),
            ne(agents.status, 'archived'),
            or(named({ skill_id: id }), and(named({ slug }), seesSlug)),
          ),
        )
        .orderBy(asc(agents.createdAt), asc(agents.id))
        .limit(MOST_AGENTS)
    },
  }
}
