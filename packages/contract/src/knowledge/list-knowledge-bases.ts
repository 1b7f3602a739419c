import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { KnowledgeBase } from './knowledge-base.ts'

export const listKnowledgeBasesOperation = defineOperation({
  id: 'listKnowledgeBases',
  method: 'GET',
  path: '/api/v1/knowledge-bases',
  tag: 'Knowledge',
  summary: 'List knowledge bases',
  access: 'api_key',
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of bases, newest first.', body: Page(KnowledgeBase) },
  errors: ['validation_error'],
})
