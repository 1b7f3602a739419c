import type { KnowledgeBaseRecord } from '@troupe/database'

/** A base without what the database sets. */
export type GivenKnowledgeBase = Omit<KnowledgeBaseRecord, 'dims' | 'createdAt' | 'updatedAt'>

/** What a base has when nothing else is said. */
export const KNOWLEDGE_BASE_DEFAULTS = { lang: 'english', chunkTokens: 400, overlapTokens: 60 } as const

/** A message for `overlap_tokens`, or null. */
export function overlapProblem({ chunkTokens, overlapTokens }: GivenKnowledgeBase): string | null {
  return overlapTokens * 2 > chunkTokens ? `must be at most half of chunk_tokens (${chunkTokens})` : null
}

/** A message for `embedding`, or null. */
export function embeddingProblem(before: KnowledgeBaseRecord, after: GivenKnowledgeBase): string | null {
  const isSame =
    before.embedding?.llmConfigId === after.embedding?.llmConfigId &&
    before.embedding?.modelId === after.embedding?.modelId
  return before.dims === null || isSame
    ? null
    : 'cannot be changed once documents were embedded; create another base with the new model'
}

/** A base as the audit log keeps it. */
export function auditedKnowledgeBase(base: GivenKnowledgeBase): Record<string, unknown> {
  const { name, projectId, lang, embedding, chunkTokens, overlapTokens } = base
  return { name, projectId, lang, embedding, chunkTokens, overlapTokens }
}
