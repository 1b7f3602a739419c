import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { ProjectId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { KnowledgeBase, knowledgeBaseFields } from './knowledge-base.ts'

const { name, lang, embedding, chunk_tokens, overlap_tokens } = knowledgeBaseFields

export const createKnowledgeBaseOperation = defineOperation({
  id: 'createKnowledgeBase',
  method: 'POST',
  path: '/api/v1/knowledge-bases',
  tag: 'Knowledge',
  summary: 'Create a knowledge base',
  description: 'Without `embedding`, documents are searched by their words only.',
  access: 'api_key',
  body: Type.Object(
    {
      name,
      projectId: Type.Optional(
        Nullable(
          Uuid<ProjectId>({
            description: 'Ignored for project-scoped keys: the base is created in their project.',
          }),
        ),
      ),
      lang: Type.Optional(lang),
      embedding: Type.Optional(embedding),
      chunk_tokens: Type.Optional(chunk_tokens),
      overlap_tokens: Type.Optional(overlap_tokens),
    },
    { additionalProperties: false },
  ),
  success: { status: 201, description: 'The empty base.', body: KnowledgeBase },
  errors: ['validation_error', 'project_not_found', 'llm_configuration_not_found'],
})
