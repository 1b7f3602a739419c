import { defineOperation } from '../operation/operation.ts'
import { KnowledgeDocument, KnowledgeDocumentParams } from './knowledge-base.ts'

export const getKnowledgeDocumentOperation = defineOperation({
  id: 'getKnowledgeDocument',
  method: 'GET',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}/documents/{documentId}',
  tag: 'Knowledge',
  summary: 'Read the state of a document',
  access: 'api_key',
  params: KnowledgeDocumentParams,
  success: { status: 200, description: 'The document.', body: KnowledgeDocument },
  errors: ['forbidden', 'knowledge_base_not_found', 'document_not_found'],
})
