import { defineOperation } from '../operation/operation.ts'
import { KnowledgeBase, KnowledgeBaseParams } from './knowledge-base.ts'

export const getKnowledgeBaseOperation = defineOperation({
  id: 'getKnowledgeBase',
  method: 'GET',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}',
  tag: 'Knowledge',
  summary: 'Read a knowledge base',
  access: 'api_key',
  params: KnowledgeBaseParams,
  success: { status: 200, description: 'The base with the numbers of its documents.', body: KnowledgeBase },
  errors: ['forbidden', 'knowledge_base_not_found'],
})
