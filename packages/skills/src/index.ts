export { readSkill, type SkillFile, type SkillFolder } from './read-skill.ts'
export type { SkillProblem } from './skill-problem.ts'
