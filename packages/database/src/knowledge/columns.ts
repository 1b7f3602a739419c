import { knowledgeBases, knowledgeDocuments } from '@troupe/tables/configuration/knowledge'
import { getTableColumns } from 'drizzle-orm'
import type { KnowledgeBaseRecord } from './port.ts'

export const baseColumns = getTableColumns(knowledgeBases)

const {
  attempt: _,
  leaseUntil: __,
  tries: ___,
  chunkedAs: ____,
  ...shown
} = getTableColumns(knowledgeDocuments)

/** The columns of a document as callers see it. */
export const documentColumns = shown

type BaseRow = Omit<KnowledgeBaseRecord, 'embedding'> & {
  embeddingLlmConfigId: NonNullable<KnowledgeBaseRecord['embedding']>['llmConfigId'] | null
  embeddingModelId: string | null
}

/** A base as it is read: both columns of the embedding model are set together. */
export function toBase<Row extends BaseRow>({ embeddingLlmConfigId, embeddingModelId, ...row }: Row) {
  const isSet = embeddingLlmConfigId !== null && embeddingModelId !== null
  const embedding = isSet ? { llmConfigId: embeddingLlmConfigId, modelId: embeddingModelId } : null
  return { ...row, embedding }
}
