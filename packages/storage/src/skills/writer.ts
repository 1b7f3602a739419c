import { eq } from 'drizzle-orm'
import { skills, skillVersions as versions } from '../tables/configuration/skills.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { areNamed, isSkill, selectSkills } from './columns.ts'
import type { SkillWriter } from './port.ts'

export function skillWriter({ db }: WriteContext): SkillWriter {
  return {
    async hold(organizationId, names) {
      await db.select({ id: skills.id }).from(skills).where(areNamed(organizationId, names)).for('share')
    },
    async lock(organizationId, id) {
      await db.select({ id: skills.id }).from(skills).where(isSkill(organizationId, id)).for('update')
      // A separate statement, so that after a wait for a concurrent upload it sees the version that the upload made the
      // newest.
      return (await selectSkills(db).where(isSkill(organizationId, id)))[0] ?? null
    },
    async add({ texts, id, organizationId, projectId, slug, ...columns }) {
      // An update that changes nothing locks the row of an existing skill.
      const target = [skills.organizationId, skills.projectId, skills.slug]
      const row = { id, organizationId, projectId, slug }
      const stored = await db
        .insert(skills)
        .values(row)
        .onConflictDoUpdate({ target, set: { slug } })
        .returning()
      const { id: skillId, newestVersion } = onlyRow(stored, `skill ${slug}`)
      const newest = () => selectSkills(db).where(eq(skills.id, skillId))
      const [before] = await newest()
      if (before?.contentHash === columns.contentHash) return { skill: before, added: false }
      const version = newestVersion + 1
      await db.insert(versions).values({ skillId, version, texts, ...columns })
      await db.update(skills).set({ newestVersion: version }).where(eq(skills.id, skillId))
      return { skill: onlyRow(await newest(), `version of the skill ${slug}`), added: true }
    },
    async delete(organizationId, id) {
      await db.delete(skills).where(isSkill(organizationId, id))
    },
  }
}
