import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { KnowledgeBaseParams, KnowledgeDocument } from './knowledge-base.ts'

export const listKnowledgeDocumentsOperation = defineOperation({
  id: 'listKnowledgeDocuments',
  method: 'GET',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}/documents',
  tag: 'Knowledge',
  summary: 'List the documents of a knowledge base',
  access: 'api_key',
  params: KnowledgeBaseParams,
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page, newest first.', body: Page(KnowledgeDocument) },
  errors: ['validation_error', 'forbidden', 'knowledge_base_not_found'],
})
