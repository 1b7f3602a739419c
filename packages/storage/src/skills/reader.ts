import { and, count, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { agentsNaming } from '../config-references/agents-naming.ts'
import { agents } from '../tables/configuration/agents.ts'
import { configReferences } from '../tables/configuration/config-references.ts'
import { skills, skillVersions as versions } from '../tables/configuration/skills.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { hasInName, offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { areNamed, isSkill, selectSkills } from './columns.ts'
import type { SkillReader } from './port.ts'

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
      const { targetId, targetKind, targetSlug } = configReferences
      const bySlug = and(isNull(targetId), eq(targetKind, 'skill'), eq(targetSlug, slug))
      // An agent at organization level cannot find a project's skill by its slug.
      const seesSlug = projectId === null ? undefined : eq(agents.projectId, projectId)
      return agentsNaming(db, organizationId, or(eq(targetId, id), and(bySlug, seesSlug)))
    },
  }
}
