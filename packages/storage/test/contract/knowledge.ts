import { KnowledgeDocumentId, newId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { ClaimedDocument } from '../../src/knowledge/port.ts'
import { chunk, knowledgeBuilders } from './knowledge-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

/** The life cycle of bases and documents. */
export function knowledgeContract(subject: Subject): void {
  const { base, insert, claim, ready } = knowledgeBuilders(subject)

  describe('knowledge', () => {
    it('a queued document is claimed once, with its base', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await insert(tenant, baseId)
      const claims = await Promise.all([subject().knowledge.claim(60), subject().knowledge.claim(60)])
      const [claimed, ...others] = claims.filter((one) => one !== null)
      expect(others).toEqual([])
      expect(claimed).toMatchObject({
        id: documentId,
        attempt: 1,
        tries: 1,
        base: { id: baseId, lang: 'english', chunkTokens: 400, dims: null },
      })
      if (claimed) await subject().knowledge.settle(claimed, { error: null })
    })

    it('an expired lease is taken over, and the earlier claim can write no more', async () => {
      const tenant = await createTenant(subject())
      await insert(tenant, await base(tenant))
      const lost = await claim()
      await subject().knowledge.addChunks(lost, lost.base, [chunk(0, 'one'), chunk(1, 'two')])
      await subject().knowledge.postpone(lost, -1)
      const current = await claim()
      expect(current).toMatchObject({ id: lost.id, attempt: 2, tries: 2 })
      const { knowledge } = subject()
      expect(await knowledge.renew(lost, 60)).toBe(false)
      expect(await knowledge.addChunks(lost, lost.base, [chunk(2, 'three')])).toBe(false)
      expect(await knowledge.arrived(lost, { contentHash: 'x', sizeBytes: 1, chunkedAs: 'a' })).toBeNull()
      expect(await knowledge.settle(lost, { error: 'lost' })).toBe(false)
      expect(await knowledge.renew(current, 60)).toBe(true)
      expect(await knowledge.addChunks(current, current.base, [chunk(1, 'again'), chunk(2, 'three')])).toBe(
        true,
      )
      expect(await knowledge.settle(current, { error: null })).toBe(true)
      const { organizationId } = tenant
      const stored = await subject().read.knowledge.document(organizationId, current.baseId, current.id)
      expect(stored).toMatchObject({ status: 'ready', chunks: 3, error: null })
    })

    it('a postponed document is not due before its time, and a failed one never', async () => {
      const tenant = await createTenant(subject())
      await insert(tenant, await base(tenant))
      const claimed = await claim()
      await subject().knowledge.postpone(claimed, 60)
      expect(await subject().knowledge.claim(60)).toBeNull()
      expect(await subject().knowledge.settle(claimed, { error: 'It is empty.' })).toBe(true)
      expect(await subject().knowledge.claim(60)).toBeNull()
      const counted = await subject().read.knowledge.base(tenant.organizationId, claimed.baseId)
      expect(counted).toMatchObject({ documents: { queued: 0, ready: 0, failed: 1 }, chunks: 0 })
    })

    it('other content of a URL starts another reading, the same content keeps its chunks', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await ready(tenant, baseId, [chunk(0, 'old')])
      const requeue = () =>
        subject().transaction(({ write }) => write.knowledge.requeue(tenant.organizationId, documentId))
      await requeue()
      const same = await claim()
      const arrived = (claimed: ClaimedDocument, contentHash: string, chunkedAs = 'a') =>
        subject().knowledge.arrived(claimed, { contentHash, chunkedAs, sizeBytes: 3 })
      expect(await arrived(same, documentId)).toBe(1)
      await subject().knowledge.settle(same, { error: null })
      await requeue()
      const other = await claim()
      expect(await arrived(other, documentId)).toBe(1)
      expect(await arrived(other, 'other')).toBe(0)
      await subject().knowledge.settle(other, { error: null })
      const { documents, chunks } = (await subject().read.knowledge.base(tenant.organizationId, baseId)) ?? {}
      expect({ documents, chunks }).toEqual({ documents: { queued: 0, ready: 1, failed: 0 }, chunks: 0 })
    })

    it('other settings start another reading: chunks do not continue those of other settings', async () => {
      const tenant = await createTenant(subject())
      const documentId = await insert(tenant, await base(tenant))
      const claimed = await claim()
      const arrived = (chunkedAs: string) =>
        subject().knowledge.arrived(claimed, { contentHash: documentId, chunkedAs, sizeBytes: 3 })
      expect(await arrived('long')).toBe(0)
      await subject().knowledge.addChunks(claimed, claimed.base, [chunk(0, 'one'), chunk(1, 'two')])
      expect(await arrived('long')).toBe(2)
      expect(await arrived('short')).toBe(0)
      await subject().knowledge.addChunks(claimed, claimed.base, [chunk(0, 'on'), chunk(1, 'e')])
      expect(await arrived('short')).toBe(2)
      await subject().knowledge.settle(claimed, { error: null })
    })

    it('a document that is queued again has all its tries, and its fence still rises', async () => {
      const tenant = await createTenant(subject())
      const documentId = await insert(tenant, await base(tenant))
      const { knowledge } = subject()
      await knowledge.postpone(await claim(), -1)
      await knowledge.release(await claim())
      const last = await claim()
      expect(last).toMatchObject({ attempt: 3, tries: 2 })
      await knowledge.settle(last, { error: 'It could not be read.' })
      await subject().transaction(({ write }) => write.knowledge.requeue(tenant.organizationId, documentId))
      const again = await claim()
      expect(again).toMatchObject({ attempt: 4, tries: 1 })
      expect(await knowledge.renew(last, 60)).toBe(false)
      await knowledge.settle(again, { error: null })
    })

    it('a deletion of a base includes its documents and chunks, and returns the keys of their bytes', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await ready(tenant, baseId, [chunk(0, 'gone')])
      const { organizationId } = tenant
      const keys = await subject().transaction(({ write }) =>
        write.knowledge.deleteBase(organizationId, baseId),
      )
      expect(keys).toEqual([`key-${documentId}`])
      expect(await subject().read.knowledge.base(organizationId, baseId)).toBeNull()
      const asked = { baseIds: [baseId], filters: {}, limit: 5 }
      expect(await subject().knowledge.matching(asked, 'english', 'gone')).toEqual({ chunks: 0, words: [] })
    })

    it('a base has each content once', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await ready(tenant, baseId, [chunk(0, 'same')])
      const { organizationId } = tenant
      const known = await subject().read.knowledge.sameDocument(organizationId, baseId, {
        contentHash: documentId,
      })
      expect(known?.id).toBe(documentId)
      const again = subject().transaction(({ write }) => {
        if (!known) throw new Error('not found')
        const { status: _, error: __, chunks: ___, createdAt: ____, ...record } = known
        return write.knowledge.insertDocument({ ...record, id: newId(KnowledgeDocumentId) })
      })
      await expect(again).rejects.toMatchObject({ code: '23505' })
    })
  })
}
