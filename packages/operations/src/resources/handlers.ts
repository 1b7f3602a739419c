import { MAX_DOCUMENT_BODY_BYTES } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { rereadKnowledgeDocument } from '../knowledge/reread-knowledge-document.ts'
import { listKnowledgePassages } from './document-passages.ts'
import { getSkillFile, listSkillVersions } from './skill-versions.ts'
import { getKnowledgeDocumentText, updateKnowledgeDocument, type WrittenTexts } from './written-document.ts'

/** Dependencies of the operations. */
export interface ResourceParts {
  database: Pick<Database, 'read' | 'transaction'>
  documents: WrittenTexts
}

/** Operations on knowledge bases and skills that only the builder has. */
export function resourceHandlers({ database, documents }: ResourceParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = database
  return [
    handler(op.rereadKnowledgeDocument, ({ caller, params }) =>
      rereadKnowledgeDocument({ database, hurry: () => documents.hurry() }, caller, caller.actor, params),
    ),
    handler(op.getKnowledgeDocumentText, ({ caller, params }) =>
      getKnowledgeDocumentText({ database, documents }, caller, params),
    ),
    handler(op.listKnowledgePassages, ({ caller, params, query }) =>
      listKnowledgePassages(read, caller, params, query),
    ),
    handler(
      op.updateKnowledgeDocument,
      ({ caller, params, body }) => updateKnowledgeDocument({ database, documents }, caller, params, body),
      { maxBodyBytes: MAX_DOCUMENT_BODY_BYTES },
    ),
    handler(op.listSkillVersions, ({ caller, params, query }) =>
      listSkillVersions(read, caller, params.skillId, query),
    ),
    handler(op.getSkillFile, ({ caller, params, query }) =>
      getSkillFile(read, caller, params.skillId, query),
    ),
    handler(op.listResourceUsers, async ({ caller, query }) => ({
      data: await read.builder.resourceUsers.of(
        caller.organizationId,
        query.kind,
        query.ids.toLowerCase().split(','),
      ),
    })),
  ]
}
