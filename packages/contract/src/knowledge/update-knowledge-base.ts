import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { StoredName } from '../schema/shown-name.ts'
import { KnowledgeBase, KnowledgeBaseParams, knowledgeBaseFields } from './knowledge-base.ts'

export const updateKnowledgeBaseOperation = defineOperation({
  id: 'updateKnowledgeBase',
  method: 'PUT',
  path: '/api/v1/knowledge-bases/{knowledgeBaseId}',
  tag: 'Knowledge',
  summary: 'Change a knowledge base',
  description:
    'Absent fields are unchanged. Language and sizes apply to documents that are added later. The vectors of another embedding ' +
    'model are written in the background, and searched once they are complete.',
  access: 'api_key',
  params: KnowledgeBaseParams,
  // The operation refuses a blank name unless it is the stored one.
  body: Type.Partial(Type.Object({ ...knowledgeBaseFields, name: StoredName }), {
    additionalProperties: false,
  }),
  success: { status: 200, description: 'The base.', body: KnowledgeBase },
  errors: ['validation_error', 'forbidden', 'knowledge_base_not_found', 'llm_configuration_not_found'],
})
