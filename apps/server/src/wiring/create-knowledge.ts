import type { AgentCatalog, EmbeddingModels, RunTelemetry } from '@troupe/agents/ports'
import type { TextExtractor } from '@troupe/documents'
import type { FileStore, IncomingFiles } from '@troupe/file-stores'
import type { DeleteFiles } from '@troupe/operations/knowledge/documents/document-files'
import { DocumentIngest } from '@troupe/operations/knowledge/ingest/document-ingest'
import type { SearchParts } from '@troupe/operations/knowledge/search/search-knowledge'
import type { Database } from '@troupe/storage'
import { PassageCache } from '@troupe/storage'
import type { Logger } from 'pino'

/** Dependencies of knowledge bases. */
export interface KnowledgeParts {
  database: Database
  catalog: AgentCatalog
  embeddings: EmbeddingModels
  passages: PassageCache
  files: FileStore
  extractor: TextExtractor
  incoming: IncomingFiles
  /** The guarded fetch. */
  fetch: typeof globalThis.fetch
  telemetry: RunTelemetry
  /** Largest document, in bytes. */
  maxFileBytes: number
  /** Whether this process ingests documents; otherwise they wait for one that does. */
  ingests: boolean
}

/** The knowledge bases of this process. Disposing stops the ingestion; another process continues it. */
export interface Knowledge extends AsyncDisposable {
  search: SearchParts
  passages: PassageCache
  ingest: DocumentIngest
  files: FileStore
  incoming: IncomingFiles
  maxFileBytes: number
  deleteFiles: DeleteFiles
  /** Starts the ingestion of a queued document. */
  hurry(): void
}

/** 40,000 passages of 200 words; with vectors of 384 values 80,000. */
const CACHE_BYTES = { words: 64 * 1024 * 1024, wordsAndVectors: 256 * 1024 * 1024 }

/** The passages of searched knowledge bases, with their vectors if the database has no index of them. */
export async function createPassageCache(
  { kind, knowledge }: Pick<Database, 'kind' | 'knowledge'>,
  log: Logger,
): Promise<PassageCache> {
  const withVectors = (await knowledge.vectorSearch()) === 'exact'
  if (withVectors && kind === 'postgres') {
    log.info(
      'PostgreSQL has no extension pgvector: searches by meaning compare every passage of a knowledge base',
    )
  }
  return new PassageCache({
    store: knowledge,
    withVectors,
    maxBytes: withVectors ? CACHE_BYTES.wordsAndVectors : CACHE_BYTES.words,
    onDefect: (err) => log.warn({ err }, 'the passages of a knowledge base could not be read'),
  })
}

/** Wires knowledge bases to this process. */
export function createKnowledge(parts: KnowledgeParts): Knowledge {
  const { database, catalog, embeddings, passages, files, incoming, telemetry, maxFileBytes } = parts
  const failed = (error: unknown) => telemetry.backgroundFailed('documents of knowledge bases', error)
  const ingest = new DocumentIngest({
    ...parts,
    maxBytes: maxFileBytes,
    runs: database.runs,
    onDefect: failed,
  })
  return {
    search: { database, catalog, embeddings, passages },
    passages,
    ingest,
    files,
    incoming,
    maxFileBytes,
    async deleteFiles(keys) {
      for (const key of keys) await files.delete(key).catch(failed)
    },
    hurry: () => {
      if (parts.ingests) ingest.hurry()
    },
    [Symbol.asyncDispose]: () => ingest[Symbol.asyncDispose](),
  }
}
