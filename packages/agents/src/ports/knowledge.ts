import type {
  KnowledgeBaseId,
  KnowledgeChunkId,
  KnowledgeDocumentId,
  OrganizationId,
  ProjectId,
} from '@troupe/contract'
import type { ModelAttempt } from './chat-models.ts'

/** A query of knowledge bases. */
export interface KnowledgeQuestion {
  organizationId: OrganizationId
  /** The agent's project; null for an agent of the organization, which may search all projects. */
  projectId: ProjectId | null
  baseIds: readonly KnowledgeBaseId[]
  query: string
  topK: number
  /** The minimum cosine similarity, 0 to 1; null: any. Bases without vectors are searched by words only. */
  minScore: number | null
  /** Metadata that a document must contain. */
  filters: Readonly<Record<string, unknown>>
  signal: AbortSignal
  /** Called for every call of an embedding model. */
  onAttempt(attempt: ModelAttempt): void
}

/** A passage of a document. */
export interface KnowledgePassage {
  chunkId: KnowledgeChunkId
  documentId: KnowledgeDocumentId
  documentName: string
  /** 1-based; null for documents without pages. */
  page: number | null
  url: string | null
  text: string
  /** Fused ranks: comparable within one answer only. */
  score: number
  /** Cosine similarity to the query; null if it was found by its words only. */
  similarity: number | null
}

/** The results of a search, best first, or the reason for having none, as a sentence for the model. */
export type KnowledgeAnswer =
  | { kind: 'found'; passages: readonly KnowledgePassage[] }
  | { kind: 'unavailable'; message: string }

/** Port: searches knowledge bases. The scope is checked at every search. Throws only the reason of `signal`. */
export interface KnowledgeSearch {
  search(question: KnowledgeQuestion): Promise<KnowledgeAnswer>
}
