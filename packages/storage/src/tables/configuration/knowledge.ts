import type {
  KnowledgeBaseId,
  KnowledgeChunkId,
  KnowledgeDocumentId,
  KnowledgeSetId,
  LlmConfigId,
} from '@troupe/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  customType,
  index,
  integer,
  pgTable,
  real,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { storableJson } from '../../sql/client/storable.ts'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** The name of a PostgreSQL text search configuration. */
const regconfig = customType<{ data: string }>({ dataType: () => 'regconfig' })
/** Queried by searches, unlike other JSON documents, hence `jsonb`. */
const searchable = customType<{ data: Record<string, unknown>; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storableJson,
})

export const knowledgeBases = pgTable(
  'knowledge_bases',
  {
    id: uuid('id').$type<KnowledgeBaseId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug'),
    name: freeText('name').notNull(),
    lang: regconfig('lang').notNull(),
    /** No foreign key: a configuration may be deleted, and its bases then search by words only. */
    embeddingLlmConfigId: uuid('embedding_llm_config_id').$type<LlmConfigId>(),
    embeddingModelId: freeText('embedding_model_id'),
    /** The length that the first vector set. */
    dims: integer('dims'),
    /** The searched set of chunks. Another embedding model writes a second set, which then replaces it. */
    setId: uuid('set_id').$type<KnowledgeSetId>().notNull().defaultRandom(),
    nextSetId: uuid('next_set_id').$type<KnowledgeSetId>(),
    nextLlmConfigId: uuid('next_llm_config_id').$type<LlmConfigId>(),
    nextModelId: freeText('next_model_id'),
    nextDims: integer('next_dims'),
    nextError: freeText('next_error'),
    /** The fence of the process that writes the second set until `nextLeaseUntil`. */
    nextAttempt: integer('next_attempt').notNull().default(0),
    nextLeaseUntil: moment('next_lease_until'),
    /** Sets whose chunks are to be deleted. */
    retiredSetIds: uuid('retired_set_ids').array().$type<KnowledgeSetId[]>().notNull().default([]),
    chunkTokens: integer('chunk_tokens').notNull(),
    overlapTokens: integer('overlap_tokens').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('knowledge_bases_slug').on(t.organizationId, t.slug),
    unique('knowledge_bases_organization_id_id').on(t.organizationId, t.id),
    ofSameOrganization('knowledge_bases_project_fk', t, t.projectId, projects).onDelete('cascade'),
    index('knowledge_bases_newest').on(t.organizationId, t.createdAt, t.id),
    index('knowledge_bases_rebuilt').on(t.id).where(sql`next_set_id is not null or retired_set_ids <> '{}'`),
  ],
)

/**
 * Documents are read by a process that holds a lease (`lease_until`), under the fence `attempt`. A queued document
 * without a lease, or with an expired one, is due.
 */
export const knowledgeDocuments = pgTable(
  'knowledge_documents',
  {
    id: uuid('id').$type<KnowledgeDocumentId>().primaryKey(),
    organizationId: organizationId(),
    baseId: uuid('base_id').$type<KnowledgeBaseId>().notNull(),
    name: freeText('name').notNull(),
    source: text('source', { enum: ['file', 'text', 'url'] }).notNull(),
    /** Only of documents from a URL. */
    url: freeText('url'),
    /** The storage key of the bytes; null for documents from a URL. */
    storageKey: text('storage_key'),
    /** Recognised from the content; null for documents from a URL. */
    contentType: text('content_type'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** SHA-256 of the bytes, hex; null for a URL that has not been read yet. */
    contentHash: text('content_hash'),
    metadata: searchable('metadata').notNull(),
    status: text('status', { enum: ['queued', 'ready', 'failed'] }).notNull(),
    /** A sentence for the owner of the document; null unless it has failed. */
    error: freeText('error'),
    /** The number of searched chunks; during another reading and after its failure, those of the previous content. */
    chunks: integer('chunks').notNull().default(0),
    /** The reading that is being written, or was written last. The next one starts when content or `chunkedAs` differ. */
    reading: integer('reading').notNull().default(0),
    /** The searched reading, until the next one is complete; null if none was complete yet. */
    searchedReading: integer('searched_reading'),
    /** The settings that made the chunks of `reading`: see `arrived` of the store. */
    chunkedAs: freeText('chunked_as'),
    attempt: integer('attempt').notNull().default(0),
    /** Claims since it was queued. */
    tries: integer('tries').notNull().default(0),
    leaseUntil: moment('lease_until'),
    createdAt: createdAt(),
  },
  (t) => [
    ofSameOrganization('knowledge_documents_base_fk', t, t.baseId, knowledgeBases).onDelete('cascade'),
    uniqueIndex('knowledge_documents_content').on(t.baseId, t.contentHash).where(sql`source <> 'url'`),
    uniqueIndex('knowledge_documents_url').on(t.baseId, t.url).where(sql`source = 'url'`),
    index('knowledge_documents_newest').on(t.baseId, t.createdAt, t.id),
    index('knowledge_documents_queued').on(t.createdAt, t.id).where(sql`status = 'queued'`),
  ],
)

/**
 * Passages of documents. A document has chunks of at most two readings: the searched ones, which never change, and
 * their future replacements. `embedding` is an array, so that the table is the same with and without pgvector. If the
 * extension exists, an index over the array as a `vector` or `halfvec` is created for each length with its first
 * vector.
 */
export const knowledgeChunks = pgTable(
  'knowledge_chunks',
  {
    id: uuid('id').$type<KnowledgeChunkId>().primaryKey().defaultRandom(),
    setId: uuid('set_id').$type<KnowledgeSetId>().notNull(),
    documentId: uuid('document_id')
      .$type<KnowledgeDocumentId>()
      .notNull()
      .references(() => knowledgeDocuments.id, { onDelete: 'cascade' }),
    /** The reading of the document that made it. */
    reading: integer('reading').notNull(),
    idx: integer('idx').notNull(),
    page: integer('page'),
    text: freeText('text').notNull(),
    lang: regconfig('lang').notNull(),
    /** Has the length 1, in half precision; null without an embedding model. */
    embedding: real('embedding').array(),
    dims: integer('dims'),
    /** Hashes of its words: the SQL function `knowledge_words`. */
    words: bigint('words', { mode: 'bigint' }).array().notNull(),
  },
  (t) => [
    unique('knowledge_chunks_idx').on(t.documentId, t.setId, t.reading, t.idx),
    index('knowledge_chunks_set').on(t.setId),
    // Every search reads the whole pending list of this index, by default up to 4 MB.
    index('knowledge_chunks_words').using('gin', t.words).with({ gin_pending_list_limit: 256 }),
  ],
)
