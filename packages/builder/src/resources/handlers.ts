import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import type { Database } from '@troupe/database'
import { rereadKnowledgeDocument } from '@troupe/operations/knowledge/reread-knowledge-document'
import { type BuilderHandler, handler } from '../handling/handler.ts'
import { getSkillFile, listSkillVersions } from './skill-versions.ts'

/** What the operations use. */
export interface ResourceParts {
  database: Pick<Database, 'read' | 'transaction'>
  /** Called when a document was queued. */
  knowledge: { hurry(): void }
}

/** What only the builder asks about knowledge bases and skills. */
export function resourceHandlers({ database, knowledge }: ResourceParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = database
  return [
    handler(op.rereadKnowledgeDocument, ({ caller, params }) =>
      rereadKnowledgeDocument({ database, hurry: () => knowledge.hurry() }, caller, caller.actor, params),
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
