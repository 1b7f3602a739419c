import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { KnowledgeDocumentParams } from './knowledge-base.ts'

export const deleteKnowledgeDocumentOperation = defineOperation({
  id: 'deleteKnowledgeDocument',
  method: 'DELETE',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}/documents/{documentId}',
  tag: 'Knowledge',
  summary: 'Delete a document',
  access: 'api_key',
  params: KnowledgeDocumentParams,
  success: { status: 204, description: 'It was deleted with its passages.', body: Type.Null() },
  errors: ['forbidden', 'knowledge_base_not_found', 'document_not_found'],
})
