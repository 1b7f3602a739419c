import { KnowledgeBaseId, KnowledgeDocumentId, LlmConfigId, newId } from '@troupe/contract'
import { expect } from 'vitest'
import type { ClaimedDocument, NewChunk } from '../../src/knowledge/port.ts'
import type { Subject, Tenant } from './tenant.ts'

/** A vector of length 1 at an angle in degrees. */
export function pointing(degrees: number): number[] {
  const radians = (degrees * Math.PI) / 180
  return [Math.cos(radians), Math.sin(radians), 0].map((value) => Math.f16round(value))
}

/** A pseudo-random vector of length 1 that depends only on the seed. */
export function scattered(seed: number): number[] {
  const values = Array.from({ length: 16 }, (_, at) =>
    Math.sin((seed + 1) * 12.9898 + at * 78.233 * (seed + 3)),
  )
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return values.map((value) => Math.f16round(value / length))
}

export const chunk = (idx: number, text: string, degrees: number | null = null): NewChunk => ({
  idx,
  page: null,
  text,
  embedding: degrees === null ? null : pointing(degrees),
})

export const vectored = (idx: number, text: string, embedding: readonly number[]): NewChunk => ({
  ...chunk(idx, text),
  embedding,
})

/** Builders of bases, documents and their chunks. */
export function knowledgeBuilders(subject: Subject) {
  const base = async (tenant: Tenant) => {
    const baseId = newId(KnowledgeBaseId)
    await subject().transaction(({ write }) =>
      write.knowledge.insertBase({
        id: baseId,
        organizationId: tenant.organizationId,
        projectId: null,
        slug: null,
        name: 'Handbook',
        lang: 'english',
        embedding: { llmConfigId: newId(LlmConfigId), modelId: 'emb-1' },
        chunkTokens: 400,
        overlapTokens: 60,
      }),
    )
    return baseId
  }
  const insert = async (
    { organizationId }: Tenant,
    baseId: KnowledgeBaseId,
    metadata: Record<string, unknown> = {},
    url: string | null = null,
  ) => {
    const documentId = newId(KnowledgeDocumentId)
    await subject().transaction(({ write }) =>
      write.knowledge.insertDocument({
        id: documentId,
        organizationId,
        baseId,
        name: 'refunds.md',
        source: url === null ? 'text' : 'url',
        url,
        storageKey: `key-${documentId}`,
        contentType: 'text/markdown',
        sizeBytes: 10,
        contentHash: documentId,
        metadata,
      }),
    )
    return documentId
  }
  const claim = async (): Promise<ClaimedDocument> => {
    const claimed = await subject().knowledge.claim(60)
    if (!claimed) throw new Error('nothing was due')
    return claimed
  }
  const ready = async (
    tenant: Tenant,
    baseId: KnowledgeBaseId,
    chunks: readonly NewChunk[],
    metadata: Record<string, unknown> = {},
  ) => {
    const documentId = await insert(tenant, baseId, metadata)
    const claimed = await claim()
    expect(claimed.id).toBe(documentId)
    const dims = chunks[0]?.embedding?.length
    await subject().knowledge.arrived(claimed, { contentHash: documentId, chunkedAs: 'a', sizeBytes: 10 })
    if (dims) await subject().knowledge.requireDims(claimed.base, dims)
    for (let at = 0; at < chunks.length; at += 500) {
      await subject().knowledge.addChunks(claimed, claimed.base, chunks.slice(at, at + 500))
    }
    expect(await subject().knowledge.settle(claimed, { error: null })).toBe(true)
    return documentId
  }
  const texts = async (ids: readonly string[]) => {
    const found = await subject().knowledge.chunks(ids)
    return ids.map((one) => found.find((chunk) => chunk.id === one)?.text)
  }
  return { base, insert, claim, ready, texts }
}
