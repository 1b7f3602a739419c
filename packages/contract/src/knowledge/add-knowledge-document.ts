import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import {
  DocumentMetadata,
  KnowledgeBaseParams,
  KnowledgeDocument,
  MAX_DOCUMENT_TEXT,
} from './knowledge-base.ts'

export const addKnowledgeDocumentOperation = defineOperation({
  id: 'addKnowledgeDocument',
  method: 'POST',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}/documents',
  tag: 'Knowledge',
  summary: 'Add a document to a knowledge base',
  description:
    'JSON with `name` and `text`, or with `url`; or `multipart/form-data` with the single part `file`. The document is ' +
    'read in the background. Content that the base has already is answered with 200 and the existing document, and ' +
    'costs no embedding; a URL that is already in the base is read again.',
  access: 'api_key',
  params: KnowledgeBaseParams,
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      text: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_DOCUMENT_TEXT })),
      url: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
      metadata: Type.Optional(DocumentMetadata),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  success: { status: 202, description: 'The document is queued.', body: KnowledgeDocument },
  errors: ['validation_error', 'forbidden', 'knowledge_base_not_found', 'unsupported_document'],
})
