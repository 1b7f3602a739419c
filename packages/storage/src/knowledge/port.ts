import type { Scope } from '@troupe/agents/ports'
import type {
  AgentId,
  KnowledgeBaseId,
  KnowledgeDocumentId,
  KnowledgeSetId,
  LlmConfigId,
  OrganizationId,
  ProjectId,
} from '@troupe/contract'
import type { PassageSearch } from '../passages/port.ts'
import type { knowledgeDocuments } from '../tables/configuration/knowledge.ts'
import type { NamedPage } from '../tables/drizzle/page.ts'

/** The embedding model of a knowledge base. */
export interface EmbeddingModel {
  llmConfigId: LlmConfigId
  modelId: string
}

export interface KnowledgeBaseRecord {
  id: KnowledgeBaseId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Set for bases addressed by bundles; null for bases created through the API. */
  slug: string | null
  name: string
  /** The name of a PostgreSQL text search configuration. */
  lang: string
  /** null: full text search only. */
  embedding: EmbeddingModel | null
  /** The model of a second set of vectors while it is written; `error` is the reason for a delay. */
  next: (EmbeddingModel & { error: string | null }) | null
  /** The searched set of chunks. */
  setId: KnowledgeSetId
  /** The length of the base's vectors; null before the first vector. */
  dims: number | null
  chunkTokens: number
  overlapTokens: number
  createdAt: Date
  updatedAt: Date
}

/** The fields of a base that callers set. */
export type GivenKnowledgeBase = Omit<
  KnowledgeBaseRecord,
  'next' | 'setId' | 'dims' | 'createdAt' | 'updatedAt'
>

export type DocumentStatus = 'queued' | 'ready' | 'failed'

/** A base with the numbers of its documents and of the searched chunks. */
export interface CountedKnowledgeBase extends KnowledgeBaseRecord {
  documents: Record<DocumentStatus, number>
  chunks: number
}

export type KnowledgeDocumentRecord = Omit<
  typeof knowledgeDocuments.$inferSelect,
  'attempt' | 'chunkedAs' | 'leaseUntil' | 'reading' | 'searchedReading' | 'tries'
>

export interface KnowledgeReader {
  /** In any project of the organization. */
  base(organizationId: OrganizationId, id: KnowledgeBaseId): Promise<CountedKnowledgeBase | null>
  /** The existing bases among these ids, in no particular order. */
  bases(organizationId: OrganizationId, ids: readonly KnowledgeBaseId[]): Promise<KnowledgeBaseRecord[]>
  /** Newest first; `total` is exact. A project scope sees its own only. */
  basePage(scope: Scope, page: NamedPage): Promise<{ rows: CountedKnowledgeBase[]; total: number }>
  /** Every base with a slug of an organization. */
  list(organizationId: OrganizationId): Promise<KnowledgeBaseRecord[]>
  /** The agents whose configuration names the base, oldest first, at most ten. */
  agentsUsing(organizationId: OrganizationId, id: KnowledgeBaseId): Promise<{ id: AgentId; name: string }[]>
  document(
    organizationId: OrganizationId,
    baseId: KnowledgeBaseId,
    id: KnowledgeDocumentId,
  ): Promise<KnowledgeDocumentRecord | null>
  /** Newest first; `total` is exact. */
  documentPage(
    organizationId: OrganizationId,
    baseId: KnowledgeBaseId,
    page: NamedPage & { status?: DocumentStatus | undefined },
  ): Promise<{ rows: KnowledgeDocumentRecord[]; total: number }>
  /** The document of a base with this content and no URL, or with this URL. */
  sameDocument(
    organizationId: OrganizationId,
    baseId: KnowledgeBaseId,
    same: { contentHash: string } | { url: string },
  ): Promise<KnowledgeDocumentRecord | null>
  /** The documents of a base with one of these names, contents or URLs, oldest first. */
  documentsLike(
    organizationId: OrganizationId,
    baseId: KnowledgeBaseId,
    like: Record<'names' | 'contentHashes' | 'urls', readonly string[]>,
  ): Promise<KnowledgeDocumentRecord[]>
}

export interface KnowledgeWriter {
  insertBase(record: GivenKnowledgeBase): Promise<void>
  /**
   * Changes name, language, embedding and sizes. If the base has documents, a new embedding model stays `next` until
   * its vectors are written. Throws if the base does not exist.
   */
  updateBase(record: GivenKnowledgeBase): Promise<void>
  /** Holds bases until the transaction ends, so that none is deleted while an agent that names it is saved. */
  hold(organizationId: OrganizationId, ids: readonly KnowledgeBaseId[]): Promise<void>
  /** The base, locked until the transaction ends: saves of agents that name it wait. */
  lockBase(organizationId: OrganizationId, id: KnowledgeBaseId): Promise<KnowledgeBaseRecord | null>
  /** Deletes the base with its documents and chunks, after `lockBase`. Returns the storage keys of the documents' bytes, which the caller deletes. */
  deleteBase(organizationId: OrganizationId, id: KnowledgeBaseId): Promise<string[]>
  /** A queued document. Throws SqlError 23505 if the base already has its content or URL. */
  insertDocument(
    record: Omit<KnowledgeDocumentRecord, 'status' | 'error' | 'chunks' | 'createdAt'>,
  ): Promise<void>
  /** The document, locked until the transaction ends. A caller that also needs its base locks the base first, as the ingest does. */
  lockDocument(
    organizationId: OrganizationId,
    baseId: KnowledgeBaseId,
    id: KnowledgeDocumentId,
  ): Promise<KnowledgeDocumentRecord | null>
  /**
   * Changes name and metadata. With new content, the document is queued, and a process that reads it loses its claim;
   * the searched chunks are kept until the new content has been read. With new metadata, they are kept only if they are
   * of the document's current text: otherwise a filter would find them by metadata of a different text.
   */
  updateDocument(
    record: Pick<KnowledgeDocumentRecord, 'id' | 'organizationId' | 'name' | 'metadata'>,
    content: Pick<
      KnowledgeDocumentRecord,
      'source' | 'storageKey' | 'contentType' | 'sizeBytes' | 'contentHash'
    > | null,
  ): Promise<void>
  /** `ready` or `failed` → `queued`; a queued document is unchanged. The searched chunks are kept until it has been read. */
  requeue(organizationId: OrganizationId, id: KnowledgeDocumentId): Promise<void>
  /** Returns the storage key of its bytes, which the caller deletes; null if there are none, or no such document. */
  deleteDocument(organizationId: OrganizationId, id: KnowledgeDocumentId): Promise<string | null>
}

/** A document that one process reads until its lease ends. */
export interface ClaimedDocument extends Omit<KnowledgeDocumentRecord, 'status' | 'error' | 'chunks'> {
  base: KnowledgeBaseRecord
  /** Fences the claim: a later claim has a higher number, and writes with this one are refused. */
  attempt: number
  /** Claims since the document was queued, this one included; released ones do not count. */
  tries: number
}

/** The fence of a claim. */
export type DocumentClaim = Pick<ClaimedDocument, 'id' | 'attempt'> & {
  base: Pick<KnowledgeBaseRecord, 'setId'>
}

/** A chunk to store. */
export interface NewChunk {
  idx: number
  page: number | null
  text: string
  /** Has the length 1; null without an embedding model. */
  embedding: readonly number[] | null
}

/** Chunks of a base that need vectors of another model, claimed by one process until its lease ends. */
export interface ClaimedRebuild {
  base: KnowledgeBaseRecord & { next: EmbeddingModel }
  /** Fences the claim. */
  attempt: number
  chunks: readonly { id: string; documentId: KnowledgeDocumentId; text: string }[]
}

/** The fence of a rebuild. */
export type RebuildClaim = Pick<ClaimedRebuild, 'attempt'> & { base: Pick<KnowledgeBaseRecord, 'id'> }

/** Ingest and search of documents; each method is a separate statement or transaction. */
export interface KnowledgeStore extends PassageSearch {
  /** Claims the document that has waited longest; null if none is due. */
  claim(leaseSeconds: number): Promise<ClaimedDocument | null>
  /** Extends the lease; false when the claim no longer holds. */
  renew(claim: DocumentClaim, leaseSeconds: number): Promise<boolean>
  /**
   * Records the content; `chunkedAs` names the settings of the chunks. Other content or other settings start another
   * reading: of the chunks so far, only the searched ones remain. Returns the number of chunks of the reading that an
   * earlier attempt stored; null if the claim no longer holds.
   */
  arrived(
    claim: DocumentClaim,
    content: Pick<KnowledgeDocumentRecord, 'sizeBytes'> & { contentHash: string; chunkedAs: string },
  ): Promise<number | null>
  /**
   * The length of the base's vectors, which the first one sets; null if the base is deleted or has another embedding
   * model by now. `dims` is at most 4,000.
   */
  requireDims(
    base: Pick<KnowledgeBaseRecord, 'id' | 'dims' | 'embedding'>,
    dims: number,
  ): Promise<number | null>
  /**
   * Stores chunks of the reading, all or none, unless they are stored already; their vectors have one length. They are
   * searched once the document is settled. False if the claim no longer holds.
   */
  addChunks(
    claim: DocumentClaim,
    base: Pick<KnowledgeBaseRecord, 'lang'>,
    chunks: readonly NewChunk[],
  ): Promise<boolean>
  /**
   * `queued` → `ready`: the chunks of this reading are searched from now on, and those of the previous one are deleted.
   * Or `failed` with an error message: the previous reading is still searched, and the stored chunks of this one are kept for
   * the next attempt, unless it `isUnreadable` and can never complete. False if the claim no longer holds, or if the
   * base has another set of chunks by now.
   */
  settle(claim: DocumentClaim, end: { error: string | null; isUnreadable?: boolean }): Promise<boolean>
  /**
   * Makes the document claimable again after a pause. `waitsFor` is a sentence for a cause outside the document: it is
   * shown as its error while it is queued, and the attempt does not count as a try.
   */
  postpone(claim: DocumentClaim, seconds: number, waitsFor?: string): Promise<void>
  /** Releases a claim without an attempt: the document is claimable again at once. */
  release(claim: DocumentClaim): Promise<void>
  /** Ends every lease: only for the sole process on a database, before it reads documents. */
  releaseAll(): Promise<void>
  /** Claims a base with a second set, and at most `limit` of the chunks that the set lacks. */
  claimRebuild(leaseSeconds: number, limit: number): Promise<ClaimedRebuild | null>
  /** Stores vectors of one length; those of chunks that are no longer searched are omitted. False when the claim no longer holds. */
  addVectors(
    claim: RebuildClaim,
    vectors: readonly { id: string; embedding: readonly number[] }[],
  ): Promise<boolean>
  /** Makes the second set the searched one, unless it lacks chunks: then returns false. */
  switchSets(claim: RebuildClaim): Promise<boolean>
  /** Makes the rebuild claimable again after a pause; `error` is a sentence for the owner of the base. */
  postponeRebuild(claim: RebuildClaim, pause: { seconds: number; error: string | null }): Promise<void>
  /**
   * Deletes up to `limit` unsearched chunks of a base that has not changed for `graceSeconds`. Returns whether there
   * may be more. Never waits for a lock: locked rows are left for a later call.
   */
  deleteRetired(how: { graceSeconds: number; limit: number }): Promise<boolean>
}
