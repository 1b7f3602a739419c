import type { Scope } from '@troupe/agents/ports'
import {
  type BodyOf,
  checkedId,
  DomainError,
  invalidField,
  type KnowledgeBase,
  KnowledgeBaseId,
  LlmConfigId,
  type NewId,
  type OPERATIONS,
} from '@troupe/contract'
import type { Actor, Database, GivenKnowledgeBase, Readers, Transaction } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { requireReferences } from '../agents/llm-references.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import type { DeleteFiles } from './documents/document-files.ts'
import { findKnowledgeBase } from './find-knowledge-base.ts'
import {
  auditedKnowledgeBase,
  givenOf,
  KNOWLEDGE_BASE_DEFAULTS,
  overlapProblem,
} from './given-knowledge-base.ts'
import { knowledgeBaseNotFound } from './knowledge-errors.ts'
import { presentKnowledgeBase } from './present-knowledge.ts'

type UpdateBody = BodyOf<(typeof OPERATIONS)['updateKnowledgeBase']>

/** Dependencies of the operations. */
export interface ChangeKnowledgeParts {
  database: Pick<Database, 'transaction' | 'read'>
  newId: NewId
}

/**
 * Creates an empty base. A project scope always creates in its own project.
 *
 * @throws DomainError `project_not_found`, `llm_configuration_not_found` or `validation_error`
 */
export async function createKnowledgeBase(
  { database, newId }: ChangeKnowledgeParts,
  scope: Scope,
  actor: Actor,
  body: BodyOf<(typeof OPERATIONS)['createKnowledgeBase']>,
): Promise<KnowledgeBase> {
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const base: GivenKnowledgeBase = {
    id: newId(KnowledgeBaseId),
    organizationId,
    projectId,
    slug: null,
    name: body.name,
    ...KNOWLEDGE_BASE_DEFAULTS,
    embedding: null,
    ...givenFields(body),
  }
  await database.transaction(async (tx) => {
    await requireProject(tx.read, organizationId, projectId)
    await requireUsable(tx.read, scope, base)
    await tx.write.knowledge.insertBase(base)
    await audit(tx, actor, base, null)
  })
  return shown(database.read, scope, base.id)
}

/**
 * Changes a base.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden`, `llm_configuration_not_found` or `validation_error`
 */
export async function updateKnowledgeBase(
  { database }: Pick<ChangeKnowledgeParts, 'database'>,
  scope: Scope,
  actor: Actor,
  id: string,
  body: UpdateBody,
): Promise<KnowledgeBase> {
  const changed = await database.transaction(async (tx) => {
    const lock = (owner: Scope['organizationId'], baseId: KnowledgeBaseId) =>
      tx.write.knowledge.lockBase(owner, baseId)
    const before = givenOf(await findKnowledgeBase(lock, scope, id))
    requireShownName(body.name, before)
    const after: GivenKnowledgeBase = { ...before, ...givenFields(body) }
    await requireUsable(tx.read, scope, after)
    await tx.write.knowledge.updateBase(after)
    await audit(tx, actor, after, before)
    return before.id
  })
  return shown(database.read, scope, changed)
}

function givenFields(body: UpdateBody): Partial<GivenKnowledgeBase> {
  const { name, lang, embedding, chunk_tokens: chunkTokens, overlap_tokens: overlapTokens } = body
  return {
    ...(name !== undefined && { name }),
    ...(lang !== undefined && { lang }),
    ...(embedding !== undefined && {
      embedding: embedding && {
        llmConfigId: checkedId(LlmConfigId, embedding.llm_config_id),
        modelId: embedding.model_id,
      },
    }),
    ...(chunkTokens !== undefined && { chunkTokens }),
    ...(overlapTokens !== undefined && { overlapTokens }),
  }
}

async function requireUsable(read: Readers, scope: Scope, base: GivenKnowledgeBase): Promise<void> {
  const { projectId, embedding } = base
  const overlap = overlapProblem(base)
  if (overlap !== null) throw invalidField('overlap_tokens', overlap)
  const references = embedding ? [{ path: 'embedding.llm_config_id', id: embedding.llmConfigId }] : []
  await requireReferences((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
    projectId,
    references,
  })
}

async function audit(
  { write }: Pick<Transaction, 'write'>,
  actor: Actor,
  after: GivenKnowledgeBase,
  before: GivenKnowledgeBase | null,
): Promise<void> {
  await write.audit.append({
    organizationId: after.organizationId,
    projectId: after.projectId,
    actor,
    action: before ? 'knowledge_base.updated' : 'knowledge_base.created',
    entityKind: 'knowledge_base',
    entityId: after.id,
    before: before && auditedKnowledgeBase(before),
    after: auditedKnowledgeBase(after),
  })
}

async function shown(read: Readers, scope: Scope, id: KnowledgeBaseId): Promise<KnowledgeBase> {
  const base = await read.knowledge.base(scope.organizationId, id)
  if (!base) throw knowledgeBaseNotFound()
  return presentKnowledgeBase(base)
}

/**
 * Deletes a base with its documents, unless an agent uses it.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden` or `in_use`
 */
export async function deleteKnowledgeBase(
  { database, deleteFiles }: { database: Pick<Database, 'transaction'>; deleteFiles: DeleteFiles },
  scope: Scope,
  actor: Actor,
  id: string,
): Promise<void> {
  const keys = await database.transaction(async ({ read, write }) => {
    const lock = (owner: Scope['organizationId'], baseId: KnowledgeBaseId) =>
      write.knowledge.lockBase(owner, baseId)
    const base = await findKnowledgeBase(lock, scope, id)
    const { organizationId, projectId } = base
    const users = await read.knowledge.agentsUsing(organizationId, base.id)
    if (users.length > 0) {
      const names = users.map(({ name }) => `"${name}"`).join(', ')
      throw new DomainError(
        'in_use',
        `The knowledge base is used by the ${users.length === 1 ? 'agent' : 'agents'} ${names}.`,
      )
    }
    const keys = await write.knowledge.deleteBase(organizationId, base.id)
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'knowledge_base.deleted',
      entityKind: 'knowledge_base',
      entityId: base.id,
      before: auditedKnowledgeBase(givenOf(base)),
      after: null,
    })
    return keys
  })
  await deleteFiles(keys)
}
