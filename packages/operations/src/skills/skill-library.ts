import type { SkillLibrary } from '@troupe/agents/ports'
import type { Database } from '@troupe/storage'
import { namesOf, resolveSkill } from './resolve-skills.ts'

/** The stored skills, for runs of agents. */
export function skillLibrary({ read }: Pick<Database, 'read'>): SkillLibrary {
  return {
    async find({ organizationId, projectId }, named) {
      const { versions, ...names } = namesOf(named)
      const stored = await read.skills.named(organizationId, names, versions)
      return named.map((one) => {
        const found = resolveSkill(stored, projectId, one)
        if (found.kind !== 'found') return null
        const { id, slug, version, description, allowedTools, files } = found.skill
        const paths = files.flatMap(({ path, isText }) => (isText ? [path] : []))
        return { skillId: id, name: slug, version, description, allowedTools, files: paths }
      })
    },
    async read(organizationId, { skillId, version }, path) {
      const texts = await read.skills.texts({ organizationId, id: skillId, version })
      return texts?.[path] ?? null
    },
  }
}
