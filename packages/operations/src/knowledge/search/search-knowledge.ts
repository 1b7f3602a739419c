import {
  ChatModelError,
  type KnowledgeAnswer,
  type KnowledgePassage,
  type KnowledgeQuestion,
  type KnowledgeSearch,
} from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import { fuseRanks, rankByWords } from '@troupe/knowledge'
import type { Database, KnowledgeBaseRecord, PassageCache } from '@troupe/storage'
import { type EmbedParts, embedTexts } from '../embedding/embed-texts.ts'

/** The number of passages of each ranking to fuse. */
const CANDIDATES = 40
const LONGEST_QUERY = 2_000

/** Dependencies of searching. */
export interface SearchParts extends EmbedParts {
  database: Pick<Database, 'read' | 'knowledge'>
  /** Passages that this process keeps in memory. */
  passages: Pick<PassageCache, 'matching' | 'nearest'>
}

/** A query of bases that the caller may search. */
export type BasesQuestion = Pick<
  KnowledgeQuestion,
  'query' | 'topK' | 'minScore' | 'filters' | 'signal' | 'onAttempt'
>

/** Searches for runs of agents. */
export function knowledgeSearch(parts: SearchParts): KnowledgeSearch {
  return {
    async search(question): Promise<KnowledgeAnswer> {
      const { organizationId, projectId, baseIds } = question
      const bases = await parts.database.read.knowledge.bases(organizationId, baseIds)
      const visible = bases.filter(
        (base) => projectId === null || base.projectId === null || base.projectId === projectId,
      )
      const missing = baseIds.find((id) => !visible.some((base) => base.id === id))
      if (missing !== undefined) {
        return { kind: 'unavailable', message: `The knowledge base ${missing} no longer exists.` }
      }
      try {
        return { kind: 'found', passages: await searchBases(parts, visible, question) }
      } catch (error) {
        if (!(error instanceof ChatModelError) && !isBudgetUsedUp(error)) throw error
        return { kind: 'unavailable', message: `The knowledge base could not be searched. ${error.message}` }
      }
    },
  }
}

/**
 * The best passages of bases: nearest and matching, both rankings fused. If a document is replaced or deleted between
 * the ranking and the read of its passages, some are missing: then the search is repeated once.
 *
 * @throws ChatModelError, DomainError `budget_exceeded`, or the reason of the signal
 */
export async function searchBases(
  parts: SearchParts,
  bases: readonly KnowledgeBaseRecord[],
  question: BasesQuestion,
): Promise<readonly KnowledgePassage[]> {
  const query = question.query.slice(0, LONGEST_QUERY).toWellFormed()
  const search = { ...question, query, vectorOf: questionVectors(parts, { ...question, query }) }
  const first = await rankedPassages(parts, bases, search)
  return first.areComplete ? first.passages : (await rankedPassages(parts, bases, search)).passages
}

function isBudgetUsedUp(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'budget_exceeded'
}

async function rankedPassages(
  parts: SearchParts,
  bases: readonly KnowledgeBaseRecord[],
  question: EmbeddedQuestion,
): Promise<{ passages: KnowledgePassage[]; areComplete: boolean }> {
  const { knowledge } = parts.database
  const { query } = question
  const isFiltered = Object.keys(question.filters).length > 0
  const filter = (of: readonly KnowledgeBaseRecord[]) => ({
    baseIds: of.map(({ id }) => id),
    setIds: of.map(({ setId }) => setId),
    filters: question.filters,
    limit: CANDIDATES,
  })
  const [nearest, ...matching] = await Promise.all([
    nearestOf(parts, bases, question, filter),
    ...grouped(bases, ({ lang }) => lang).map(async (same) => {
      const lang = same[0]?.lang ?? 'simple'
      const cached = isFiltered ? null : await parts.passages.matching(same, lang, query)
      const { chunks, words } = cached ?? (await knowledge.matching(filter(same), lang, query))
      return rankByWords(words, { passages: chunks, limit: CANDIDATES })
    }),
  ])
  const { minScore, topK } = question
  const similarity = new Map(nearest.map((one) => [one.id, one.similarity]))
  const ranked = fuseRanks([nearest.map(({ id }) => id), ...matching])
  const isNear = (id: string) => minScore === null || (similarity.get(id) ?? 0) >= minScore
  // Bases without vectors have no similarity that could be compared with the minimum.
  const hasVectors = bases.some(({ dims }) => dims !== null)
  const best = (hasVectors ? ranked.filter(({ id }) => isNear(id)) : ranked).slice(0, topK)
  const found = await knowledge.chunks(best.map(({ id }) => id))
  const chunks = new Map<string, (typeof found)[number]>(found.map((one) => [one.id, one]))
  const passages = best.flatMap(({ id, score }) => {
    const chunk = chunks.get(id)
    if (!chunk) return []
    const { documentId, documentName, page, url, text } = chunk
    return [
      {
        chunkId: chunk.id,
        documentId,
        documentName,
        page,
        url,
        text,
        score,
        similarity: similarity.get(id) ?? null,
      },
    ]
  })
  return { passages, areComplete: passages.length === best.length }
}

/** A query, embedded once by each model. */
interface EmbeddedQuestion extends BasesQuestion {
  vectorOf(base: KnowledgeBaseRecord): Promise<readonly number[]>
}

const modelOf = ({ embedding }: KnowledgeBaseRecord) => `${embedding?.llmConfigId} ${embedding?.modelId}`

function questionVectors(
  parts: EmbedParts,
  { query, signal, onAttempt }: BasesQuestion,
): EmbeddedQuestion['vectorOf'] {
  const known = new Map<string, readonly number[]>()
  return async (base) => {
    const model = modelOf(base)
    const vector =
      known.get(model) ?? (await embedTexts(parts, base, [query], { signal, onAttempt }))[0] ?? []
    known.set(model, vector)
    return vector
  }
}

type FilterOf = (of: readonly KnowledgeBaseRecord[]) => Parameters<Database['knowledge']['nearest']>[0]

/** The nearest chunks of the bases that have vectors. */
async function nearestOf(
  parts: SearchParts,
  bases: readonly KnowledgeBaseRecord[],
  { filters, vectorOf }: EmbeddedQuestion,
  filter: FilterOf,
): Promise<{ id: string; similarity: number }[]> {
  const withVectors = bases.filter(({ embedding, dims }) => embedding !== null && dims !== null)
  const found = await Promise.all(
    grouped(withVectors, modelOf).map(async (same) => {
      const [base] = same
      if (!base) return []
      const vector = await vectorOf(base)
      const isFiltered = Object.keys(filters).length > 0
      const cached = isFiltered ? null : await parts.passages.nearest(same, vector, CANDIDATES)
      return cached ?? parts.database.knowledge.nearest(filter(same), vector)
    }),
  )
  return found
    .flat()
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, CANDIDATES)
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, keyOf).values()]
}
