import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { DomainError } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { rereadKnowledgeDocument } from '@troupe/operations/knowledge/reread-knowledge-document'
import {
  type EditDocumentParts,
  getKnowledgeDocumentText,
  type RefuseStaleEdit,
  updateKnowledgeDocument,
} from '@troupe/operations/knowledge/written-document'
import { currentVersion } from '../changes/require-version.ts'
import { type BuilderHandler, handler } from '../handling/handler.ts'
import { listKnowledgePassages } from './document-passages.ts'
import { getSkillFile, listSkillVersions } from './skill-versions.ts'

/** What the operations use. */
export interface ResourceParts {
  database: Pick<Database, 'read' | 'transaction'>
  /** `hurry` is called when a document was queued. */
  knowledge: Omit<EditDocumentParts, 'database'>
}

/** What only the builder asks about knowledge bases and skills. */
export function resourceHandlers({ database, knowledge }: ResourceParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = database
  return [
    handler(op.rereadKnowledgeDocument, ({ caller, params }) =>
      rereadKnowledgeDocument({ database, hurry: () => knowledge.hurry() }, caller, caller.actor, params),
    ),
    handler(op.getKnowledgeDocumentText, ({ caller, params }) =>
      getKnowledgeDocumentText({ database, files: knowledge.files }, caller, params),
    ),
    handler(op.listKnowledgePassages, ({ caller, params, query }) =>
      listKnowledgePassages(read, caller, params, query),
    ),
    handler(op.updateKnowledgeDocument, ({ caller, params, body }) =>
      updateKnowledgeDocument({ database, ...knowledge }, caller, caller.actor, params, body, staleEdit),
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

/** Who edited the document since. */
const staleEdit: RefuseStaleEdit = async ({ builder }, { organizationId, id }) => {
  const latest = await builder.audit.latest(organizationId, 'knowledge_document', id)
  return new DomainError('version_conflict', 'The document has another text than the one that was edited.', {
    current: currentVersion({ number: null, versionId: null }, latest),
  })
}
