import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { SkillParams } from './skill.ts'

export const deleteSkillOperation = defineOperation({
  id: 'deleteSkill',
  method: 'DELETE',
  path: '/api/v1/skills/{skillId}',
  tag: 'Skills',
  summary: 'Delete a skill',
  description: 'With all versions. Refused while an agent uses it; the message names the agents.',
  access: 'api_key',
  params: SkillParams,
  success: { status: 204, description: 'Deleted.', body: Type.Null() },
  errors: ['forbidden', 'skill_not_found', 'in_use'],
})
