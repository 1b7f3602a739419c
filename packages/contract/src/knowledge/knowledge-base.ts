import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type {
  KnowledgeBaseId,
  KnowledgeChunkId,
  KnowledgeDocumentId,
  LlmConfigId,
  ProjectId,
} from '../schema/ids.ts'
import { jsonBytes } from '../schema/json-bytes.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'
import { ShownName, StoredName } from '../schema/shown-name.ts'
import { KNOWLEDGE_LANGUAGES } from './knowledge-languages.ts'

const Embedding = Type.Object(
  { llm_config_id: Uuid<LlmConfigId>(), model_id: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
)

/** The fields of a base that callers choose. */
export const knowledgeBaseFields = {
  name: ShownName,
  lang: Choice(KNOWLEDGE_LANGUAGES, { description: 'Language of the documents: how words are stemmed.' }),
  embedding: Nullable(Embedding),
  chunk_tokens: Type.Integer({ minimum: 50, maximum: 2000 }),
  overlap_tokens: Type.Integer({ minimum: 0, maximum: 500 }),
}

/** A knowledge base in API responses. */
export const KnowledgeBase = Type.Object({
  knowledgeBaseId: Uuid<KnowledgeBaseId>(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level base.' })),
  ...knowledgeBaseFields,
  name: StoredName,
  next_embedding: Nullable(
    Type.Object(
      { ...Embedding.properties, error: Nullable(Type.String()) },
      {
        description:
          'The model whose vectors are being written; searches use `embedding` until they are complete.',
      },
    ),
  ),
  documents: Type.Object({
    queued: Type.Integer(),
    ready: Type.Integer(),
    failed: Type.Integer(),
  }),
  chunks: Type.Integer({ description: 'Passages that searches find.' }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type KnowledgeBase = Static<typeof KnowledgeBase>

/** Maximum size of the metadata of one document, as JSON, because lists of documents include them. */
const MAX_METADATA_BYTES = 16 * 1024

/** Why metadata cannot be stored; null if it can. */
export function metadataFault(metadata: Record<string, unknown>): string | null {
  return jsonBytes(metadata, MAX_METADATA_BYTES) > MAX_METADATA_BYTES ? 'must be at most 16 KB of JSON' : null
}

/** Custom fields of a document; searches filter by them. */
export const DocumentMetadata = OpenObject({
  maxProperties: 100,
  description: 'Searches can be limited to documents by it.',
})

/** A document of a knowledge base in API responses. */
export const KnowledgeDocument = Type.Object({
  documentId: Uuid<KnowledgeDocumentId>(),
  name: Type.String(),
  source: Choice(['file', 'text', 'url']),
  url: Nullable(Type.String()),
  status: Choice(['queued', 'ready', 'failed']),
  error: Nullable(
    Type.String({
      description: 'The reason for its failure, or for waiting while it is queued, as a sentence.',
    }),
  ),
  chunks: Type.Integer({
    description:
      'Passages that searches find: of the old content while it is read again, and when that has failed.',
  }),
  sizeBytes: Type.Integer(),
  contentHash: Nullable(
    Type.String({ description: 'SHA-256 of the content; null for a URL that was not read yet.' }),
  ),
  metadata: DocumentMetadata,
  createdAt: IsoTimestamp(),
})
export type KnowledgeDocument = Static<typeof KnowledgeDocument>

/** A passage found by a search. */
export const FoundPassage = Type.Object({
  chunkId: Uuid<KnowledgeChunkId>(),
  documentId: Uuid<KnowledgeDocumentId>(),
  documentName: Type.String(),
  page: Nullable(Type.Integer()),
  url: Nullable(Type.String()),
  text: Type.String(),
  score: Type.Number({ description: 'Fused rank of both searches; comparable within one answer.' }),
  similarity: Nullable(Type.Number({ description: 'Cosine similarity; null when found by words only.' })),
})

export const KnowledgeBaseParams = Type.Object({ knowledgeBaseId: Uuid<KnowledgeBaseId>() })
export const KnowledgeDocumentParams = Type.Object({
  knowledgeBaseId: Uuid<KnowledgeBaseId>(),
  documentId: Uuid<KnowledgeDocumentId>(),
})

/** Maximum characters of a document sent as text. */
export const MAX_DOCUMENT_TEXT = 1_000_000
/** The longest JSON with such a text, whose characters may take several bytes. */
export const MAX_DOCUMENT_BODY_BYTES = 4 * 1024 * 1024
