import type { SkillLibrary } from '../ports/skills.ts'

/** A library without any skill. */
export const NO_SKILLS: SkillLibrary = {
  find: async (_owner, named) => named.map(() => null),
  read: async () => null,
}
