import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import { skills, skillVersions as versions } from '../tables/configuration/skills.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { SkillNames, SkillRecord } from './port.ts'

/** The columns of a {@link SkillRecord}. */
const skillColumns = {
  id: skills.id,
  organizationId: skills.organizationId,
  projectId: skills.projectId,
  slug: skills.slug,
  version: versions.version,
  newestVersion: skills.newestVersion,
  description: versions.description,
  allowedTools: versions.allowedTools,
  files: versions.files,
  contentHash: versions.contentHash,
  createdAt: skills.createdAt,
  updatedAt: versions.createdAt,
} satisfies Record<keyof SkillRecord, unknown>

const isNewest = eq(versions.version, skills.newestVersion)

/** Skills in their newest version, or in any that `which` selects. */
export const selectSkills = (db: Drizzle, which: SQL | undefined = isNewest) =>
  db
    .select(skillColumns)
    .from(skills)
    .innerJoin(versions, and(eq(versions.skillId, skills.id), which))

/** One skill of an organization. */
export const isSkill = (organizationId: SkillRecord['organizationId'], id: SkillRecord['id']) =>
  and(eq(skills.organizationId, organizationId), eq(skills.id, id))

/** The skills of an organization with these ids or slugs. */
export function areNamed(
  organizationId: SkillRecord['organizationId'],
  { ids, slugs }: SkillNames,
): SQL | undefined {
  const byName = or(inArray(skills.id, [...ids]), inArray(skills.slug, [...slugs]))
  return and(eq(skills.organizationId, organizationId), byName)
}
