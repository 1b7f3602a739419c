import { ChatModelError, type Scope } from '@troupe/agents/ports'
import {
  type BodyOf,
  DomainError,
  KnowledgeBaseId,
  type OPERATIONS,
  parseId,
  type ResultOf,
} from '@troupe/contract'
import { findKnowledgeBase } from './find-knowledge-base.ts'
import { type BasesQuestion, type SearchParts, searchBases } from './search/search-knowledge.ts'

type Search = (typeof OPERATIONS)['searchKnowledgeBases']

/**
 * Searches for a caller of the API.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden`, `budget_exceeded` or `upstream_error`
 */
export async function searchKnowledgeBases(
  parts: SearchParts,
  scope: Scope,
  body: BodyOf<Search>,
  onAttempt: BasesQuestion['onAttempt'],
  signal: AbortSignal,
): Promise<ResultOf<Search>> {
  const { knowledge } = parts.database.read
  const ids = [...new Set(body.base_ids.map((one) => one.toLowerCase()))]
  const found = await knowledge.bases(
    scope.organizationId,
    ids.flatMap((id) => parseId(KnowledgeBaseId, id) ?? []),
  )
  const read = async (_: Scope['organizationId'], id: string) => found.find((base) => base.id === id) ?? null
  const bases = await Promise.all(ids.map((id) => findKnowledgeBase(read, scope, id)))
  const question = {
    query: body.query,
    topK: body.top_k ?? 5,
    minScore: body.min_score ?? null,
    filters: body.filters ?? {},
    signal,
    onAttempt,
  }
  try {
    return { data: [...(await searchBases(parts, bases, question))] }
  } catch (error) {
    if (!(error instanceof ChatModelError)) throw error
    throw new DomainError('upstream_error', error.message, { internal: error.internalMessage })
  }
}
