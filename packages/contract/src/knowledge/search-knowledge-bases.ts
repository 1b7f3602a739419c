import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { KnowledgeBaseId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { DocumentMetadata, FoundPassage } from './knowledge-base.ts'

export const searchKnowledgeBasesOperation = defineOperation({
  id: 'searchKnowledgeBases',
  method: 'POST',
  path: '/api/v1/knowledge-bases/search',
  tag: 'Knowledge',
  summary: 'Search knowledge bases',
  description: 'By words and, where a base has an embedding model, by meaning; both rankings are fused.',
  access: 'api_key',
  body: Type.Object(
    {
      base_ids: Type.Array(Uuid<KnowledgeBaseId>(), { minItems: 1, maxItems: 20 }),
      query: Type.String({ minLength: 1, maxLength: 2000 }),
      top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 })),
      min_score: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
      filters: Type.Optional(DocumentMetadata),
    },
    { additionalProperties: false },
  ),
  success: {
    status: 200,
    description: 'The passages, best first.',
    body: Type.Object({ data: Type.Array(FoundPassage) }),
  },
  errors: ['validation_error', 'forbidden', 'knowledge_base_not_found', 'budget_exceeded', 'upstream_error'],
})
