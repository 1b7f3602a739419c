import { getTableColumns } from 'drizzle-orm'
import { knowledgeBases, knowledgeDocuments } from '../tables/configuration/knowledge.ts'
import type { EmbeddingModel, KnowledgeBaseRecord } from './port.ts'

const {
  nextSetId: _set,
  nextDims: _dims,
  nextAttempt: _attempt,
  nextLeaseUntil: _lease,
  retiredSetIds: _retired,
  ...base
} = getTableColumns(knowledgeBases)

/** The columns of a base as callers see it. */
export const baseColumns = base

const {
  attempt: _,
  leaseUntil: __,
  tries: ___,
  chunkedAs: ____,
  reading: _____,
  searchedReading: ______,
  ...shown
} = getTableColumns(knowledgeDocuments)

/** The columns of a document as callers see it. */
export const documentColumns = shown

type LlmConfigId = EmbeddingModel['llmConfigId']
type BaseRow = Omit<KnowledgeBaseRecord, 'embedding' | 'next'> & {
  embeddingLlmConfigId: LlmConfigId | null
  embeddingModelId: string | null
  nextLlmConfigId: LlmConfigId | null
  nextModelId: string | null
  nextError: string | null
}

/** A base as read. The columns of an embedding model are always set together. */
export function toBase<Row extends BaseRow>({
  embeddingLlmConfigId,
  embeddingModelId,
  nextLlmConfigId,
  nextModelId,
  nextError,
  ...row
}: Row) {
  const next = modelOf(nextLlmConfigId, nextModelId)
  return {
    ...row,
    embedding: modelOf(embeddingLlmConfigId, embeddingModelId),
    next: next && { ...next, error: nextError },
  }
}

function modelOf(llmConfigId: LlmConfigId | null, modelId: string | null): EmbeddingModel | null {
  return llmConfigId !== null && modelId !== null ? { llmConfigId, modelId } : null
}
