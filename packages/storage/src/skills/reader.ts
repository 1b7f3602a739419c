import { and, asc, count, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import { skills, skillVersions as versions } from '../tables/configuration/skills.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { hasInName, offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { areNamed, isSkill, selectSkills } from './columns.ts'
import type { SkillReader } from './port.ts'

const MOST_AGENTS = 10

export function skillReader(db: Drizzle): SkillReader {
  return {
    byId: async (organizationId, id) =>
      (await selectSkills(db).where(isSkill(organizationId, id)))[0] ?? null,
    async page({ organizationId, projectId }, page) {
      const inProject = projectId === null ? undefined : eq(skills.projectId, projectId)
      const where = and(
        eq(skills.organizationId, organizationId),
        inProject,
        hasInName(skills.slug, page, skills.id),
      )
      const rows = await selectSkills(db)
        .where(where)
        .orderBy(desc(skills.createdAt), desc(skills.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows, () => db.select({ total: count() }).from(skills).where(where))
    },
    async named(organizationId, names, numbers) {
      const which = or(eq(versions.version, skills.newestVersion), inArray(versions.version, [...numbers]))
      return selectSkills(db, which).where(areNamed(organizationId, names))
    },
    async texts({ organizationId, id, version }) {
      const [row] = await db
        .select({ texts: versions.texts })
        .from(versions)
        .innerJoin(skills, eq(versions.skillId, skills.id))
        .where(and(isSkill(organizationId, id), eq(versions.version, version)))
      return row?.texts ?? null
    },
    async agentsUsing({ organizationId, projectId, id, slug }) {
      const named = (by: object) =>
        sql`lower((${agents.config}->'skills')::text)::jsonb @> ${JSON.stringify([by])}::jsonb`
      // An agent of the organization level finds no skill of a project by its slug.
      const seesSlug = projectId === null ? undefined : eq(agents.projectId, projectId)
      const isUser = or(named({ skill_id: id }), and(named({ slug }), seesSlug))
      return db
        .select({ id: agents.id, name: agents.name })
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), ne(agents.status, 'archived'), isUser))
        .orderBy(asc(agents.createdAt), asc(agents.id))
        .limit(MOST_AGENTS)
    },
  }
}
