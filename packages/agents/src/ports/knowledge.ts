import type { OrganizationId, ProjectId } from '@troupe/contract'
import type { ModelAttempt } from './chat-models.ts'

/** A question to knowledge bases. */
export interface KnowledgeQuestion {
  organizationId: OrganizationId
  /** The agent's project; null for an agent of the organization, which may search in all. */
  projectId: ProjectId | null
  baseIds: readonly string[]
  query: string
  topK: number
  /** The least cosine similarity, 0 to 1; null: any. Bases without vectors are searched by words only. */
  minScore: number | null
  /** Metadata that a document must contain. */
  filters: Readonly<Record<string, unknown>>
  signal: AbortSignal
  /** Called for every call of an embedding model. */
  onAttempt(attempt: ModelAttempt): void
}

/** A passage of a document. */
export interface KnowledgePassage {
  chunkId: string
  documentId: string
  documentName: string
  /** 1-based; null for documents without pages. */
  page: number | null
  url: string | null
  text: string
  /** Fused ranks: comparable within one answer only. */
  score: number
  /** Cosine similarity to the question; null when it was found by its words only. */
  similarity: number | null
}

/** What a search found, best first, or why there was none, as a sentence for the model. */
export type KnowledgeAnswer =
  | { kind: 'found'; passages: readonly KnowledgePassage[] }
  | { kind: 'unavailable'; message: string }

/** Port: searches knowledge bases. The scope is checked at every search. Throws only the reason of `signal`. */
export interface KnowledgeSearch {
  search(question: KnowledgeQuestion): Promise<KnowledgeAnswer>
}
