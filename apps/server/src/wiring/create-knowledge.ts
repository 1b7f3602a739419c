import type { AgentCatalog, EmbeddingModels, RunTelemetry } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import type { TextExtractor } from '@troupe/documents'
import type { FileStore, IncomingFiles } from '@troupe/file-stores'
import type { DeleteFiles } from '@troupe/operations/knowledge/change-knowledge-base'
import { DocumentIngest } from '@troupe/operations/knowledge/document-ingest'
import type { SearchParts } from '@troupe/operations/knowledge/search-knowledge'

/** Dependencies of knowledge bases. */
export interface KnowledgeParts {
  database: Database
  catalog: AgentCatalog
  embeddings: EmbeddingModels
  files: FileStore
  extractor: TextExtractor
  incoming: IncomingFiles
  /** The guarded fetch. */
  fetch: typeof globalThis.fetch
  telemetry: RunTelemetry
  /** Largest document, in bytes. */
  maxFileBytes: number
  /** Whether this process reads documents; otherwise they wait for one that does. */
  ingests: boolean
}

/** The knowledge bases of this process. Disposing stops reading documents; another process continues. */
export interface Knowledge extends AsyncDisposable {
  search: SearchParts
  ingest: DocumentIngest
  files: FileStore
  incoming: IncomingFiles
  maxFileBytes: number
  deleteFiles: DeleteFiles
  /** Starts reading a document that was queued. */
  hurry(): void
}

/** Wires knowledge bases to this process. */
export function createKnowledge(parts: KnowledgeParts): Knowledge {
  const { database, catalog, embeddings, files, incoming, telemetry, maxFileBytes } = parts
  const failed = (error: unknown) => telemetry.backgroundFailed('documents of knowledge bases', error)
  const ingest = new DocumentIngest({
    ...parts,
    maxBytes: maxFileBytes,
    runs: database.runs,
    onDefect: failed,
  })
  return {
    search: { database, catalog, embeddings },
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
