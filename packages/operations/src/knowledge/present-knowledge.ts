import { KNOWLEDGE_LANGUAGES, type KnowledgeBase, type KnowledgeDocument } from '@troupe/contract'
import type { CountedKnowledgeBase, KnowledgeDocumentRecord } from '@troupe/storage'

/** A base as callers see it; times in ISO 8601 UTC. */
export function presentKnowledgeBase(record: CountedKnowledgeBase): KnowledgeBase {
  const { embedding, lang, next } = record
  return {
    knowledgeBaseId: record.id,
    projectId: record.projectId,
    name: record.name,
    lang: KNOWLEDGE_LANGUAGES.find((one) => one === lang) ?? 'simple',
    embedding: embedding && { llm_config_id: embedding.llmConfigId, model_id: embedding.modelId },
    next_embedding: next && {
      llm_config_id: next.llmConfigId,
      model_id: next.modelId,
      error: next.error,
    },
    chunk_tokens: record.chunkTokens,
    overlap_tokens: record.overlapTokens,
    documents: record.documents,
    chunks: record.chunks,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}

/** A document as callers see it. */
export function presentDocument(record: KnowledgeDocumentRecord): KnowledgeDocument {
  const { name, source, url, status, error, chunks, sizeBytes, contentHash, metadata, createdAt } = record
  const shown = { name, source, url, status, error, chunks, sizeBytes, contentHash, metadata }
  return { documentId: record.id, ...shown, createdAt: createdAt.toISOString() }
}
