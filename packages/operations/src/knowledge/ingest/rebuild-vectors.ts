import { Ledger } from '@troupe/agents'
import { EMBEDDING_BATCH, type UsableLlmConfiguration } from '@troupe/agents/ports'
import type { ClaimedRebuild } from '@troupe/storage'
import { MAX_DIMS } from '@troupe/storage'
import { embedTexts } from '../embedding/embed-texts.ts'
import type { IngestParts } from './ingest-document.ts'
import { failureOf } from './ingest-failure.ts'
import { UnreadableDocumentError } from './read-source.ts'
import { writtenAtOnce } from './written-at-once.ts'

const PAUSE_SECONDS = 60
/** A search may still read the set with which it started. */
const DELETION = { graceSeconds: 60, limit: 500 }

/**
 * Does one step for bases whose embedding model was changed: a batch of vectors, the switch to the new ones, or the
 * deletion of old ones. The existing vectors are searched until the new ones are complete. Returns whether there is
 * more to do now.
 */
export async function rebuildVectors(
  parts: IngestParts & { onDefect(error: unknown): void },
  leaseSeconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { knowledge } = parts.database
  const claim = await knowledge.claimRebuild(leaseSeconds, EMBEDDING_BATCH)
  if (claim === null) return knowledge.deleteRetired(DELETION)
  try {
    if (claim.chunks.length === 0 && (await knowledge.switchSets(claim))) return true
    if (claim.chunks.length > 0) await addVectors(parts, claim, signal)
    await knowledge.postponeRebuild(claim, { seconds: 0, error: null })
    return true
  } catch (error) {
    if (signal.aborted) {
      await knowledge.postponeRebuild(claim, { seconds: 0, error: null })
      return false
    }
    const failure = failureOf(error)
    if (failure === null) parts.onDefect(error)
    const sentence = failure?.sentence ?? 'The vectors could not be written.'
    await knowledge.postponeRebuild(claim, { seconds: PAUSE_SECONDS, error: sentence })
    return true
  }
}

async function addVectors(parts: IngestParts, claim: ClaimedRebuild, signal: AbortSignal): Promise<void> {
  const { base, chunks } = claim
  const ledger = new Ledger()
  const { modelId } = base.next
  const priceOf = ({ models }: UsableLlmConfiguration) =>
    models.find((one) => one.modelId === modelId) ?? null
  const nobody = { agentId: null, memberRunId: null }
  try {
    const vectors = await embedTexts(
      parts,
      { ...base, embedding: base.next },
      chunks.map(({ text }) => text),
      { signal, onAttempt: (attempt, from) => void ledger.add(attempt, 'embedding', priceOf(from), nobody) },
    )
    if ((vectors[0]?.length ?? 0) > MAX_DIMS) {
      throw new UnreadableDocumentError(
        `The embedding model returns vectors of more than ${MAX_DIMS} values, which cannot be searched.`,
      )
    }
    const embedded = chunks.map(({ id }, at) => ({ id, embedding: vectors[at] ?? [] }))
    for (const part of writtenAtOnce(embedded)) {
      if (await parts.database.knowledge.addVectors(claim, part)) continue
      throw new UnreadableDocumentError('The embedding model returned vectors of another length.')
    }
  } finally {
    // A ledger row has the base's id in place of a run's id.
    const { organizationId, projectId, id } = base
    const caller = { runId: id, organizationId, projectId, userId: '', tag: null }
    await parts.runs.recordUsage({ ...caller, usage: ledger.unwritten })
  }
}
