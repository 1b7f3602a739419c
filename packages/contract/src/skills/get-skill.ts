import { defineOperation } from '../operation/operation.ts'
import { Skill, SkillParams } from './skill.ts'

export const getSkillOperation = defineOperation({
  id: 'getSkill',
  method: 'GET',
  path: '/api/v1/skills/{skillId}',
  tag: 'Skills',
  summary: 'Read a skill',
  access: 'api_key',
  params: SkillParams,
  success: { status: 200, description: 'The skill in its newest version.', body: Skill },
  errors: ['forbidden', 'skill_not_found'],
})
