import { and, eq } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../drizzle/write-context.ts'
import { areNamed, isNewest, skillColumns } from './columns.ts'
import type { SkillWriter } from './port.ts'
import { skills, skillVersions as versions } from './table.ts'

export function skillWriter({ db }: WriteContext): SkillWriter {
  const newest = () => db.select(skillColumns).from(skills).innerJoin(versions, isNewest)
  return {
    async hold(organizationId, names) {
      await db.select({ id: skills.id }).from(skills).where(areNamed(organizationId, names)).for('share')
    },
    async lock(organizationId, id) {
      const [row] = await newest()
        .where(and(eq(skills.organizationId, organizationId), eq(skills.id, id)))
        .for('update', { of: skills })
      return row ?? null
    },
    async add({ texts, id, organizationId, projectId, slug, ...columns }) {
      // An update that changes nothing locks the row of an existing skill.
      const [stored] = await db
        .insert(skills)
        .values({ id, organizationId, projectId, slug })
        .onConflictDoUpdate({ target: [skills.organizationId, skills.projectId, skills.slug], set: { slug } })
        .returning()
      const skill = onlyRow(stored ? [stored] : [], `skill ${slug} in this organization`)
      const ofSkill = eq(skills.id, skill.id)
      const [before] = await newest().where(ofSkill)
      if (before?.contentHash === columns.contentHash) return { skill: before, added: false }
      const version = skill.newestVersion + 1
      await db.insert(versions).values({ skillId: skill.id, version, texts, ...columns })
      await db.update(skills).set({ newestVersion: version }).where(ofSkill)
      const [after] = await newest().where(ofSkill)
      return { skill: onlyRow(after ? [after] : [], `version ${version} of ${slug}`), added: true }
    },
    async delete(organizationId, id) {
      await db.delete(skills).where(and(eq(skills.organizationId, organizationId), eq(skills.id, id)))
    },
  }
}
