import { setImmediate } from 'node:timers/promises'
import { Ledger } from '@troupe/agents'
import { EMBEDDING_BATCH, type RunStore, type UsableLlmConfiguration } from '@troupe/agents/ports'
import { type Chunk, chunksOf } from '@troupe/knowledge'
import type { ClaimedDocument, Database, KnowledgeBaseRecord, NewChunk } from '@troupe/storage'
import { MAX_DIMS } from '@troupe/storage'
import { type EmbedParts, embedTexts } from '../embedding/embed-texts.ts'
import { readSource, type SourceParts, UnreadableDocumentError } from './read-source.ts'
import { writtenAtOnce } from './written-at-once.ts'

/** The longest text in the smallest chunks without headings, which overlap by half. */
const MAX_CHUNKS = 25_000
const TOO_MANY_CHUNKS = `The document has more than ${MAX_CHUNKS} passages. Split it, or use longer passages.`

/** Dependencies of reading documents. */
export interface IngestParts extends SourceParts, EmbedParts {
  database: Pick<Database, 'knowledge' | 'read'>
  /** The ledger. */
  runs: Pick<RunStore, 'recordUsage'>
}

/** The claim of a document was lost: another process reads it, or it was deleted. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError'
}

/**
 * Reads a claimed document, and embeds and stores its chunks; chunks stored by an earlier attempt are skipped. The text
 * is chunked while it is embedded, so that memory does not grow with it.
 *
 * @throws ClaimLostError, and as `readSource` and `embedTexts` do
 */
export async function ingestDocument(
  parts: IngestParts,
  document: ClaimedDocument,
  signal: AbortSignal,
): Promise<void> {
  const { knowledge } = parts.database
  const { base } = document
  const source = await readSource(parts, document, signal)
  const { contentHash, sizeBytes } = source
  const stored = await knowledge.arrived(document, { contentHash, sizeBytes, chunkedAs: settingsOf(base) })
  if (stored === null) throw new ClaimLostError('before its chunks')
  let idx = 0
  for (const batch of batches(chunksOf(source.text, base))) {
    // Chunking a long text takes a while: other work may run between batches.
    await setImmediate()
    const fresh = batch.map((chunk) => ({ ...chunk, idx: idx++ })).filter((chunk) => chunk.idx >= stored)
    if (idx > MAX_CHUNKS) throw new UnreadableDocumentError(TOO_MANY_CHUNKS)
    if (fresh.length > 0) await store(parts, document, await embedded(parts, document, fresh, signal))
    signal.throwIfAborted()
  }
}

/** The settings of a base that determine its chunks: chunks of other settings are not continued. */
function settingsOf({ lang, chunkTokens, overlapTokens }: KnowledgeBaseRecord): string {
  return JSON.stringify([lang, chunkTokens, overlapTokens])
}

function* batches(chunks: Generator<Chunk>): Generator<Chunk[]> {
  let batch: Chunk[] = []
  for (const chunk of chunks) {
    batch.push(chunk)
    if (batch.length < EMBEDDING_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type Numbered = Omit<NewChunk, 'embedding'>

async function embedded(
  parts: IngestParts,
  document: ClaimedDocument,
  chunks: readonly Numbered[],
  signal: AbortSignal,
): Promise<NewChunk[]> {
  const { base, id, organizationId } = document
  if (base.embedding === null) return chunks.map((chunk) => ({ ...chunk, embedding: null }))
  const { modelId } = base.embedding
  const ledger = new Ledger()
  const priceOf = ({ models }: UsableLlmConfiguration) =>
    models.find((one) => one.modelId === modelId) ?? null
  const nobody = { agentId: null, memberRunId: null }
  try {
    const texts = chunks.map(({ text }) => text)
    const vectors = await embedTexts(parts, base, texts, {
      signal,
      onAttempt: (attempt, from) => void ledger.add(attempt, 'embedding', priceOf(from), nobody),
    })
    await requireDims(parts, document, vectors[0]?.length ?? 0)
    return chunks.map((chunk, at) => ({ ...chunk, embedding: vectors[at] ?? null }))
  } finally {
    // The ledger outlives documents: its rows have the document's id in place of a run's id.
    const caller = {
      runId: id,
      organizationId,
      projectId: base.projectId,
      userId: '',
      tag: null,
    }
    await parts.runs.recordUsage({ ...caller, usage: ledger.unwritten })
  }
}

async function requireDims(
  { database }: IngestParts,
  { base }: ClaimedDocument,
  dims: number,
): Promise<void> {
  if (dims > MAX_DIMS) {
    throw new UnreadableDocumentError(
      `The embedding model returns vectors of ${dims} values; at most ${MAX_DIMS} can be searched.`,
    )
  }
  const wanted = await database.knowledge.requireDims(base, dims)
  if (wanted === dims) return
  if (wanted === null) throw new ClaimLostError('to another embedding model of its base')
  throw new UnreadableDocumentError(
    `The embedding model returned vectors of ${dims} values, but the base has vectors of ${wanted}.`,
  )
}

async function store(
  { database }: IngestParts,
  document: ClaimedDocument,
  chunks: readonly NewChunk[],
): Promise<void> {
  for (const part of writtenAtOnce(chunks)) {
    const isHeld = await database.knowledge.addChunks(document, document.base, part)
    if (!isHeld) throw new ClaimLostError('while its chunks were stored')
  }
}
