import { randomUUID } from 'node:crypto'
import type { KnowledgeBaseId, KnowledgeDocumentId } from '@troupe/contract'
import { type AnyId, asId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type {
  ClaimedDocument,
  KnowledgeBaseRecord,
  NewChunk,
  VectorSearch,
} from '../../src/knowledge/port.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

function id(): AnyId {
  return asId(randomUUID())
}

/** A vector of length 1 that points to an angle, in degrees. */
function pointing(degrees: number): number[] {
  const radians = (degrees * Math.PI) / 180
  return [Math.cos(radians), Math.sin(radians), 0].map((value) => Math.f16round(value))
}

/** A vector of length 1 in a direction that looks random and depends on the seed only. */
function scattered(seed: number): number[] {
  const values = Array.from({ length: 16 }, (_, at) =>
    Math.sin((seed + 1) * 12.9898 + at * 78.233 * (seed + 3)),
  )
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return values.map((value) => Math.f16round(value / length))
}

const chunk = (idx: number, text: string, degrees: number | null = null): NewChunk => ({
  idx,
  page: null,
  text,
  embedding: degrees === null ? null : pointing(degrees),
})

const vectored = (idx: number, text: string, embedding: readonly number[]): NewChunk => ({
  ...chunk(idx, text),
  embedding,
})

export function knowledgeContract(subject: Subject, how: VectorSearch): void {
  const base = async (tenant: Tenant) => {
    const baseId: KnowledgeBaseId = id()
    await subject().transaction(({ write }) =>
      write.knowledge.insertBase({
        id: baseId,
        organizationId: tenant.organizationId,
        projectId: null,
        slug: null,
        name: 'Handbook',
        lang: 'english',
        embedding: { llmConfigId: id(), modelId: 'emb-1' },
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
  ) => {
    const documentId: KnowledgeDocumentId = id()
    await subject().transaction(({ write }) =>
      write.knowledge.insertDocument({
        id: documentId,
        organizationId,
        baseId,
        name: 'refunds.md',
        source: 'text',
        url: null,
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

    it('other content deletes the chunks of a URL, the same content keeps them', async () => {
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

    it('chunks of other settings are deleted: they do not continue each other', async () => {
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

    it('vectors of a model that the base has no more decide nothing', async () => {
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

    it('another model writes a second set beside the first, which is searched until it is complete', async () => {
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
      const model = { llmConfigId: id(), modelId: 'emb-2' }
      const before = await change(model)
      expect(await stored()).toMatchObject({
        embedding: before.embedding,
        dims: 2,
        next: { ...model, error: null },
      })
      // The model that it has gives the second set up, and a third one starts anew.
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
      expect(await knowledge.matching(filter, 'english', 'one two')).toHaveLength(2)

      // A document that is read at the moment of the switch is read again, into the new set.
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
      const [nearest] = await knowledge.nearest(filter, [0, 0, 1])
      expect(await knowledge.chunks([nearest?.id ?? ''])).toMatchObject([{ text: 'one' }])
      expect(await knowledge.matching(filter, 'english', 'one two three')).toHaveLength(3)

      expect(await knowledge.deleteRetired({ graceSeconds: 60, limit: 2 })).toBe(false)
      let steps = 0
      while (await knowledge.deleteRetired({ graceSeconds: -1, limit: 2 })) steps += 1
      expect(steps).toBeGreaterThan(1)
      expect(await knowledge.matching(filter, 'english', 'one two three')).toHaveLength(3)
    })

    it('vectors of a document that was claimed meanwhile are left out', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const { knowledge } = subject()
      const documentId = await ready(tenant, baseId, [vectored(0, 'old', [1, 0])])
      const [before] = await subject().read.knowledge.bases(tenant.organizationId, [baseId])
      const next = { llmConfigId: id(), modelId: 'emb-2' }
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
      // The old text has no vector of the new model that could be taken for the new text's.
      await knowledge.postponeRebuild(rebuild, { seconds: -1, error: null })
      const later = await knowledge.claimRebuild(60, 10)
      expect(later?.chunks.map(({ text }) => text)).toEqual(['new'])
      if (later) await knowledge.switchSets(later)
    })

    it(`finds the nearest vectors of the bases asked for (${how})`, async () => {
      const tenant = await createTenant(subject())
      const [mine, other] = [await base(tenant), await base(tenant)]
      await ready(tenant, mine, [chunk(0, 'north', 90), chunk(1, 'east', 0), chunk(2, 'north-east', 45)])
      await ready(tenant, other, [chunk(0, 'nearly east', 1)])
      await insert(tenant, mine)
      const unread = await claim()
      await subject().knowledge.addChunks(unread, unread.base, [chunk(0, 'not ready', 0)])
      const found = await subject().knowledge.nearest(
        { baseIds: [mine], filters: {}, limit: 2 },
        pointing(10),
      )
      expect(await texts(found.map((one) => one.id))).toEqual(['east', 'north-east'])
      expect(found[0]?.similarity).toBeCloseTo(Math.cos(Math.PI / 18), 2)
      await subject().knowledge.settle(unread, { error: null })
      expect(await subject().knowledge.vectorSearch()).toBe(how)
    })

    it('finds any word of a question, stemmed, in documents with the metadata', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      await ready(tenant, baseId, [chunk(0, 'Refunds take 14 days.'), chunk(1, 'Shipping is free.')], {
        region: 'eu',
        tags: ['a', 'b'],
      })
      await ready(tenant, baseId, [chunk(0, 'A refund takes 30 days.')], { region: 'us' })
      const matching = (text: string, filters: Record<string, unknown>) =>
        subject()
          .knowledge.matching({ baseIds: [baseId], filters, limit: 10 }, 'english', text)
          .then(texts)
      expect(await matching('how long does a refund take?', { region: 'eu', tags: ['b'] })).toEqual([
        'Refunds take 14 days.',
      ])
      expect(await matching('refunding & shipping | "(', {})).toHaveLength(3)
      expect(await matching('the of and', {})).toEqual([])
    })

    it(`finds the same among thousands of chunks, with a filter too (${how})`, {
      timeout: 240_000,
    }, async () => {
      const tenant = await createTenant(subject())
      const [mine, crowd] = [await base(tenant), await base(tenant)]
      const spread = (count: number, name: string) =>
        Array.from({ length: count }, (_, at) => ({
          ...chunk(at, `${name} ${at}`),
          embedding: scattered(at),
        }))
      const many = spread(2_500, 'crowd')
      await ready(tenant, crowd, many)
      await ready(tenant, mine, spread(5, 'mine'), { rare: true })
      const nearest = async (filters: Record<string, unknown>, vector: number[]) => {
        const asked = { baseIds: [mine, crowd], filters, limit: 5 }
        return texts((await subject().knowledge.nearest(asked, vector)).map((one) => one.id))
      }
      expect((await nearest({ rare: true }, scattered(3))).toSorted()).toEqual([
        'mine 0',
        'mine 1',
        'mine 2',
        'mine 3',
        'mine 4',
      ])
      const asked = scattered(100_000)
      const product = (one: readonly number[]) => one.reduce((sum, x, at) => sum + x * (asked[at] ?? 0), 0)
      const exact = many
        .toSorted((a, b) => product(b.embedding) - product(a.embedding))
        .slice(0, 5)
        .map(({ text }) => text)
      expect(await nearest({}, asked)).toEqual(exact)
    })

    it('a base that is deleted takes its documents and chunks with it, and names their bytes', async () => {
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
      expect(await subject().knowledge.matching(asked, 'english', 'gone')).toEqual([])
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
        return write.knowledge.insertDocument({ ...record, id: id() })
      })
      await expect(again).rejects.toMatchObject({ code: '23505' })
    })
  })
}
