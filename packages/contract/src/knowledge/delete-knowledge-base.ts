import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { KnowledgeBaseParams } from './knowledge-base.ts'

export const deleteKnowledgeBaseOperation = defineOperation({
  id: 'deleteKnowledgeBase',
  method: 'DELETE',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}',
  tag: 'Knowledge',
  summary: 'Delete a knowledge base',
  description: 'With its documents. Refused while an agent uses it; the message names the agents.',
  access: 'api_key',
  params: KnowledgeBaseParams,
  success: { status: 204, description: 'Deleted.', body: Type.Null() },
  errors: ['forbidden', 'knowledge_base_not_found', 'in_use'],
})
