import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { Skill } from './skill.ts'

export const listSkillsOperation = defineOperation({
  id: 'listSkills',
  method: 'GET',
  path: '/api/v1/skills',
  tag: 'Skills',
  summary: 'List skills',
  access: 'api_key',
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of skills, newest first.', body: Page(Skill) },
  errors: ['validation_error'],
})
