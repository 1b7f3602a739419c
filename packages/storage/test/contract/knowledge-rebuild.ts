import { setTimeout as pause } from 'node:timers/promises'
import { type KnowledgeDocumentId, KnowledgeSetId, LlmConfigId, newId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { KnowledgeBaseRecord } from '../../src/knowledge/port.ts'
import { knowledgeBuilders, vectored } from './knowledge-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

/** Replacing a set of vectors with a second one. */
export function knowledgeRebuildContract(subject: Subject): void {
  const { base, insert, claim, ready, texts } = knowledgeBuilders(subject)

  /** Two documents of a base with a previous set of chunks that is due for deletion. */
  const switched = async () => {
    const tenant = await createTenant(subject())
    const { organizationId } = tenant
    const baseId = await base(tenant)
    const { knowledge, read } = subject()
    const [one, other] = [
      await ready(tenant, baseId, [vectored(0, 'one', [1, 0])]),
      await ready(tenant, baseId, [vectored(0, 'other', [0, 1])]),
    ] as const
    const [before] = await read.knowledge.bases(organizationId, [baseId])
    const next = { llmConfigId: newId(LlmConfigId), modelId: 'emb-2' }
    await subject().transaction(({ write }) =>
      write.knowledge.updateBase({ ...(before as KnowledgeBaseRecord), embedding: next }),
    )
    const rebuild = await knowledge.claimRebuild(60, 10)
    if (!rebuild) throw new Error('no rebuild')
    const vectors = rebuild.chunks.map((chunk) => ({ ...chunk, embedding: [1, 0, 0] }))
    await knowledge.addVectors(rebuild, vectors)
    expect(await knowledge.switchSets(rebuild)).toBe(true)
    const former = {
      baseIds: [baseId],
      setIds: [before?.setId ?? newId(KnowledgeSetId)],
      filters: {},
      limit: 10,
    }
    return { organizationId, baseId, one, other, former }
  }
  const deleteRetired = () => subject().knowledge.deleteRetired({ graceSeconds: -1, limit: 10 })

  describe('chunks of a former set', () => {
    it('are deleted while a document of the base settles, and neither waits for the other', async () => {
      const { organizationId, baseId, one, former } = await switched()
      const { knowledge } = subject()
      await subject().transaction(({ write }) => write.knowledge.requeue(organizationId, one))
      const claimed = await claim()
      await knowledge.arrived(claimed, { contentHash: 'new', chunkedAs: 'a', sizeBytes: 1 })
      await knowledge.addChunks(claimed, claimed.base, [vectored(0, 'new', [1, 0, 0])])
      const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const change = subject().transaction(async ({ write }) => {
        await write.knowledge.lockBase(organizationId, baseId)
        begun.resolve()
        await mayEnd.promise
      })
      await begun.promise
      // The base is held: the document waits for it, before chunks of the previous set are deleted.
      const settled = knowledge.settle(claimed, { error: null })
      await pause(100)
      const deleted = deleteRetired()
      await pause(100)
      mayEnd.resolve()
      await change
      expect(await settled).toBe(true)
      await deleted
      while (await deleteRetired());
      expect(await knowledge.nearest(former, [1, 0])).toEqual([])
      const now = await knowledge.nearest({ baseIds: [baseId], filters: {}, limit: 10 }, [1, 0, 0])
      expect((await texts(now.map((chunk) => chunk.id))).toSorted()).toEqual(['new', 'other'])
    })

    it.each([
      false,
      true,
    ])('are deleted while documents are, in any order (reversed: %s)', async (isReversed) => {
      const { organizationId, one, other, former } = await switched()
      const ids: [KnowledgeDocumentId, KnowledgeDocumentId] = isReversed ? [other, one] : [one, other]
      const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const deletion = subject().transaction(async ({ write }) => {
        await write.knowledge.deleteDocument(organizationId, ids[0])
        begun.resolve()
        await mayEnd.promise
        await write.knowledge.deleteDocument(organizationId, ids[1])
      })
      await begun.promise
      const deleted = deleteRetired()
      await pause(100)
      mayEnd.resolve()
      await deletion
      await deleted
      while (await deleteRetired());
      expect(await subject().knowledge.nearest(former, [1, 0])).toEqual([])
      expect(await deleteRetired()).toBe(false)
    })

    it('that a rolled-back transaction would have deleted are deleted afterwards', async () => {
      const { organizationId, one, former } = await switched()
      const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const deletion = subject().transaction(async ({ write }) => {
        await write.knowledge.deleteDocument(organizationId, one)
        begun.resolve()
        await mayEnd.promise
        throw new Error('rolled back')
      })
      await begun.promise
      const deleted = (async () => {
        while (await deleteRetired());
      })()
      await pause(100)
      mayEnd.resolve()
      await expect(deletion).rejects.toThrow('rolled back')
      await deleted
      while (await deleteRetired());
      expect(await subject().knowledge.nearest(former, [1, 0])).toEqual([])
    })
  })

  describe('another embedding model', () => {
    it('vectors of a model that the base no longer has set no length', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const { organizationId } = tenant
      await insert(tenant, baseId)
      const claimed = await claim()
      await subject().transaction(({ write }) =>
        write.knowledge.updateBase({ ...claimed.base, embedding: null }),
      )
      expect(await subject().knowledge.requireDims(claimed.base, 3)).toBeNull()
      const [now] = await subject().read.knowledge.bases(organizationId, [baseId])
      expect(now).toMatchObject({ dims: null, embedding: null, next: null })
      await subject().knowledge.settle(claimed, { error: null })
    })

    it('another model writes a second set beside the first, which is searched until the second is complete', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const { organizationId } = tenant
      const { knowledge } = subject()
      await ready(tenant, baseId, [vectored(0, 'one', [1, 0]), vectored(1, 'two', [0, 1])])
      const stored = async () => (await subject().read.knowledge.bases(organizationId, [baseId]))[0]
      const change = async (embedding: KnowledgeBaseRecord['embedding']) => {
        const before = await stored()
        if (!before) throw new Error('no base')
        await subject().transaction(({ write }) => write.knowledge.updateBase({ ...before, embedding }))
        return before
      }
      const model = { llmConfigId: newId(LlmConfigId), modelId: 'emb-2' }
      const before = await change(model)
      expect(await stored()).toMatchObject({
        embedding: before.embedding,
        dims: 2,
        next: { ...model, error: null },
      })
      // Setting the current model again discards the second set, and a third one starts empty.
      await change(before.embedding)
      expect(await stored()).toMatchObject({ embedding: before.embedding, next: null })
      expect(await knowledge.claimRebuild(60, 10)).toBeNull()
      await change(model)

      const rebuild = await knowledge.claimRebuild(60, 10)
      if (!rebuild) throw new Error('no rebuild')
      expect(rebuild.chunks.map(({ text }) => text).toSorted()).toEqual(['one', 'two'])
      expect(await knowledge.claimRebuild(60, 10)).toBeNull()
      const vectors = rebuild.chunks.map((one) => ({
        ...one,
        embedding: one.text === 'one' ? [0, 0, 1] : [0, 1, 0],
      }))
      expect(await knowledge.addVectors(rebuild, vectors.slice(0, 1))).toBe(true)
      expect(await knowledge.switchSets(rebuild)).toBe(false)
      expect(await knowledge.addVectors({ ...rebuild, attempt: rebuild.attempt - 1 }, vectors)).toBe(false)
      expect(await knowledge.addVectors(rebuild, [{ ...vectors[1], embedding: [1, 0] } as never])).toBe(false)
      const filter = { baseIds: [baseId], filters: {}, limit: 5 }
      expect(await knowledge.nearest(filter, [1, 0])).toHaveLength(2)
      expect((await knowledge.matching(filter, 'english', 'one two')).words).toHaveLength(2)

      // A document that is being read during the switch is read again, into the new set.
      await insert(tenant, baseId)
      const reading = await claim()
      expect(await knowledge.addChunks(reading, reading.base, [vectored(0, 'three', [1, 0])])).toBe(true)
      expect(await knowledge.addVectors(rebuild, vectors)).toBe(true)
      expect(await knowledge.switchSets(rebuild)).toBe(true)
      expect(await stored()).toMatchObject({ embedding: model, dims: 3, next: null })
      expect(await knowledge.addChunks(reading, reading.base, [vectored(1, 'four', [1, 0])])).toBe(false)
      expect(await knowledge.settle(reading, { error: null })).toBe(false)
      await knowledge.release(reading)
      const again = await claim()
      const content = { contentHash: 'c', chunkedAs: 'a', sizeBytes: 1 }
      expect(await knowledge.arrived(again, content)).toBe(0)
      expect(await knowledge.addChunks(again, again.base, [vectored(0, 'three', [1, 0, 0])])).toBe(true)
      expect(await knowledge.settle(again, { error: null })).toBe(true)
      // A search that started before the switch continues with the set that it has read.
      const earlier = { ...filter, setIds: [before.setId] }
      expect(await knowledge.nearest(earlier, [1, 0])).toHaveLength(2)
      expect(await knowledge.nearest(earlier, [0, 0, 1])).toEqual([])
      const earlierWords = (await knowledge.matching(earlier, 'english', 'one two three')).words
      expect(earlierWords.map(({ word }) => word).toSorted()).toEqual(['one', 'two'])
      const [nearest] = await knowledge.nearest(filter, [0, 0, 1])
      expect(await knowledge.chunks([nearest?.id ?? ''])).toMatchObject([{ text: 'one' }])
      expect((await knowledge.matching(filter, 'english', 'one two three')).words).toHaveLength(3)

      expect(await knowledge.deleteRetired({ graceSeconds: 60, limit: 2 })).toBe(false)
      let steps = 0
      while (await knowledge.deleteRetired({ graceSeconds: -1, limit: 2 })) steps += 1
      expect(steps).toBeGreaterThan(1)
      expect((await knowledge.matching(filter, 'english', 'one two three')).words).toHaveLength(3)
    })

    it('vectors of a former text are not used for the text that replaced it', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const { knowledge } = subject()
      const documentId = await ready(tenant, baseId, [vectored(0, 'old', [1, 0])])
      const [before] = await subject().read.knowledge.bases(tenant.organizationId, [baseId])
      const next = { llmConfigId: newId(LlmConfigId), modelId: 'emb-2' }
      await subject().transaction(({ write }) =>
        write.knowledge.updateBase({ ...(before as KnowledgeBaseRecord), embedding: next }),
      )
      const rebuild = await knowledge.claimRebuild(60, 10)
      await subject().transaction(({ write }) => write.knowledge.requeue(tenant.organizationId, documentId))
      const reading = await claim()
      if (!rebuild) throw new Error('no rebuild')
      const vectors = rebuild.chunks.map((one) => ({ ...one, embedding: [1, 0, 0] }))
      expect(await knowledge.addVectors(rebuild, vectors)).toBe(true)
      await knowledge.arrived(reading, { contentHash: 'new', chunkedAs: 'a', sizeBytes: 1 })
      await knowledge.addChunks(reading, reading.base, [vectored(0, 'new', [1, 0])])
      await knowledge.settle(reading, { error: null })
      // The old text has no vector of the new model that could be used for the new text.
      await knowledge.postponeRebuild(rebuild, { seconds: -1, error: null })
      const later = await knowledge.claimRebuild(60, 10)
      expect(later?.chunks.map(({ text }) => text)).toEqual(['new'])
      if (later) await knowledge.switchSets(later)
    })
  })
}
