import { setTimeout as pause } from 'node:timers/promises'
import {
  checkedId,
  type KnowledgeBaseId,
  KnowledgeDocumentId,
  KnowledgeSetId,
  LlmConfigId,
  newId,
} from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/database.ts'
import type { ClaimedDocument, KnowledgeBaseRecord, NewChunk } from '../../src/knowledge/port.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { chunk, knowledgeBuilders, vectored } from './knowledge-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

/** Reading a document again while searches find its previous content. */
export function knowledgeReadingsContract(subject: Subject, client: () => SqlClient): void {
  const { base, insert, claim, ready, texts } = knowledgeBuilders(subject)

  /** Replaces the content of a document; `text` also serves as its hash. */
  const edit = (
    { organizationId }: Tenant,
    documentId: KnowledgeDocumentId,
    text: string,
    metadata: Record<string, unknown> = {},
  ) =>
    subject().transaction(({ write }) =>
      write.knowledge.updateDocument(
        { id: documentId, organizationId, name: 'refunds.md', metadata },
        {
          source: 'text',
          storageKey: `key-${text}`,
          contentType: 'text/markdown',
          sizeBytes: 5,
          contentHash: text,
        },
      ),
    )
  /** Replaces the metadata of a document and keeps its content. */
  const label = (
    { organizationId }: Tenant,
    documentId: KnowledgeDocumentId,
    metadata: { audience: string },
  ) =>
    subject().transaction(({ write }) =>
      write.knowledge.updateDocument({ id: documentId, organizationId, name: 'refunds.md', metadata }, null),
    )
  const requeue = ({ organizationId }: Tenant, documentId: KnowledgeDocumentId) =>
    subject().transaction(({ write }) => write.knowledge.requeue(organizationId, documentId))
  const arrived = (claimed: ClaimedDocument, contentHash: string) =>
    subject().knowledge.arrived(claimed, { contentHash, chunkedAs: 'a', sizeBytes: 5 })
  const add = (claimed: ClaimedDocument, ...chunks: NewChunk[]) =>
    subject().knowledge.addChunks(claimed, claimed.base, chunks)
  const settle = (claimed: ClaimedDocument, error: string | null = null) =>
    subject().knowledge.settle(claimed, { error })
  const read = async (claimed: ClaimedDocument, contentHash: string, ...chunks: NewChunk[]) => {
    await arrived(claimed, contentHash)
    await add(claimed, ...chunks)
    return settle(claimed)
  }

  /** The texts with the word "refund" as found by searches, the list of passages and a cache. */
  const searched = async ({ organizationId }: Tenant, baseId: KnowledgeBaseId, vector = [1, 0, 0]) => {
    const { knowledge, read } = subject()
    const found = async (ids: readonly string[]) => (await texts(ids)).toSorted()
    const asked = { baseIds: [baseId], filters: {}, limit: 10 }
    const nearest = await found((await knowledge.nearest(asked, vector)).map((one) => one.id))
    const { words, chunks } = await knowledge.matching(asked, 'english', 'refund')
    const byWords = await found([...new Set(words.flatMap(({ ids }) => ids))])
    const [stored] = await read.knowledge.bases(organizationId, [baseId])
    const { documents } = await knowledge.searchedDocuments(baseId)
    const cached = await knowledge.readChunks(
      stored?.setId ?? newId(KnowledgeSetId),
      documents.map((one) => ({ ...one, from: 0, to: one.chunks })),
      true,
    )
    const listed = await Promise.all(
      documents.map((one) =>
        read.builder.knowledgePassages.list(
          organizationId,
          { baseId, documentId: checkedId(KnowledgeDocumentId, one.id) },
          { after: null, limit: 10 },
        ),
      ),
    )
    const inMemory = await found(cached.map((one) => one.id))
    const passages = listed.flat().map(({ text }) => text)
    // All three sources agree.
    expect([byWords, inMemory, passages.toSorted()]).toEqual([nearest, nearest, nearest])
    expect(chunks).toBe(nearest.length)
    const counted = await read.knowledge.base(organizationId, baseId)
    expect(counted?.chunks).toBe(nearest.length)
    return nearest
  }
  const stateOf = async (baseId: KnowledgeBaseId) => {
    const asked = await subject().knowledge.askedWords({ baseIds: [baseId], setIds: [] }, 'english', 'refund')
    expect(asked.bases[baseId]).toBe((await subject().knowledge.searchedDocuments(baseId)).state)
    return asked.bases[baseId]
  }
  const OLD = [chunk(0, 'A refund takes 14 days.', 0), chunk(1, 'No refund of gift cards.', 10)]
  const OLD_TEXTS = OLD.map(({ text }) => text)
  const edited = async () => {
    const tenant = await createTenant(subject())
    const baseId = await base(tenant)
    const documentId = await ready(tenant, baseId, OLD)
    await edit(tenant, documentId, 'second')
    return { tenant, baseId, documentId }
  }
  const otherModel = async ({ organizationId }: Tenant, baseId: KnowledgeBaseId) => {
    const [before] = await subject().read.knowledge.bases(organizationId, [baseId])
    const embedding = { llmConfigId: newId(LlmConfigId), modelId: 'emb-2' }
    await subject().transaction(({ write }) =>
      write.knowledge.updateBase({ ...(before as KnowledgeBaseRecord), embedding }),
    )
    return embedding
  }
  const rebuild = async () => {
    const claimed = await subject().knowledge.claimRebuild(60, 10)
    if (!claimed) throw new Error('nothing to rebuild')
    return claimed
  }
  /** Starts `outside` in the middle of a transaction, which then ends with `last` a moment later. */
  const during = async <T>(
    first: (writers: Transaction['write']['knowledge']) => Promise<unknown>,
    outside: () => Promise<T>,
    last: (writers: Transaction['write']['knowledge']) => Promise<unknown> = async () => {},
  ): Promise<T> => {
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction = subject().transaction(async ({ write }) => {
      await first(write.knowledge)
      begun.resolve()
      await mayEnd.promise
      await last(write.knowledge)
    })
    await begun.promise
    const waiting = outside()
    await pause(200)
    mayEnd.resolve()
    await transaction
    return waiting
  }
  /** The texts that searches find among the documents for an audience. */
  const searchedFor = async (audience: string, baseId: KnowledgeBaseId) => {
    const asked = { baseIds: [baseId], filters: { audience }, limit: 10 }
    const found = await subject().knowledge.nearest(asked, [1, 0, 0])
    return (await texts(found.map((one) => one.id))).toSorted()
  }
  const internal = async () => {
    const tenant = await createTenant(subject())
    const baseId = await base(tenant)
    const documentId = await ready(tenant, baseId, OLD, { audience: 'internal' })
    return { tenant, baseId, documentId }
  }
  const partOf = async (contentHash: string) => {
    const claimed = await claim()
    await arrived(claimed, contentHash)
    await add(claimed, chunk(0, 'A public refund.', 0))
    return claimed
  }
  const storedTexts = async (documentId: KnowledgeDocumentId) =>
    (await rowsWhere(client(), 'knowledge_chunks', 'document_id', documentId))
      .map(({ text }) => text)
      .toSorted()
  const byOtherModel = (chunks: readonly { id: string }[]) =>
    chunks.map(({ id: one }) => ({ id: one, embedding: [1, 0] }))

  describe('a document that is read again', () => {
    it('is found in its former state until the new reading settles, and then in the new one', async () => {
      const { tenant, baseId } = await edited()
      const before = await stateOf(baseId)
      const unchanged = async () => {
        expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
        expect(await stateOf(baseId)).toBe(before)
      }
      await unchanged()
      const claimed = await claim()
      await unchanged()
      expect(await arrived(claimed, 'second')).toBe(0)
      await unchanged()
      expect(await add(claimed, chunk(0, 'A refund takes 30 days.', 0))).toBe(true)
      await unchanged()
      expect(await settle(claimed)).toBe(true)
      expect(await searched(tenant, baseId)).toEqual(['A refund takes 30 days.'])
      expect(await stateOf(baseId)).not.toBe(before)
      const { organizationId } = tenant
      const stored = await subject().read.knowledge.document(organizationId, baseId, claimed.id)
      expect(stored).toMatchObject({ status: 'ready', chunks: 1 })
    })

    it('is found with its former passages among other documents, also with filters', async () => {
      const { tenant, baseId } = await edited()
      const claimed = await claim()
      await arrived(claimed, 'second')
      await add(claimed, chunk(0, 'A refund takes 30 days.', 0))
      const filtered = { baseIds: [baseId], filters: { region: 'eu' }, limit: 10 }
      expect(await subject().knowledge.nearest(filtered, [1, 0, 0])).toEqual([])
      expect((await subject().knowledge.matching(filtered, 'english', 'refund')).words).toEqual([])
      await settle(claimed)
      await ready(tenant, baseId, [chunk(0, 'Another refund.', 20)], { region: 'eu' })
      const [one] = await subject().knowledge.nearest(filtered, [1, 0, 0])
      expect(await texts([one?.id ?? ''])).toEqual(['Another refund.'])
      expect(await searched(tenant, baseId)).toEqual(['A refund takes 30 days.', 'Another refund.'])
    })

    it('with the same content keeps its chunks, which no late chunk changes', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await ready(tenant, baseId, OLD)
      const before = await stateOf(baseId)
      await requeue(tenant, documentId)
      const claimed = await claim()
      expect(await arrived(claimed, documentId)).toBe(2)
      expect(await add(claimed, chunk(2, 'A refund that was not there.', 0))).toBe(true)
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      expect(await settle(claimed)).toBe(true)
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      expect(await stateOf(baseId)).toBe(before)
    })

    it('and fails is found in its former state, and continues after its stored chunks', async () => {
      const { tenant, baseId, documentId } = await edited()
      const claimed = await claim()
      await arrived(claimed, 'second')
      await add(claimed, chunk(0, 'A refund takes 30 days.', 0))
      expect(await settle(claimed, 'The provider is down.')).toBe(true)
      const { organizationId } = tenant
      const failed = await subject().read.knowledge.document(organizationId, baseId, documentId)
      expect(failed).toMatchObject({ status: 'failed', error: 'The provider is down.', chunks: 2 })
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      await requeue(tenant, documentId)
      const again = await claim()
      expect(await arrived(again, 'second')).toBe(1)
      await add(again, chunk(1, 'A refund of gift cards is possible.', 10))
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      await settle(again)
      expect(await searched(tenant, baseId)).toEqual([
        'A refund of gift cards is possible.',
        'A refund takes 30 days.',
      ])
    })

    it('and is unreadable is found in its former state, and nothing of the other text stays stored', async () => {
      const { tenant, baseId, documentId } = await edited()
      const claimed = await partOf('second')
      expect(await storedTexts(documentId)).toEqual(['A public refund.', ...OLD_TEXTS])
      const unreadable = { error: 'It is too long.', isUnreadable: true }
      expect(await subject().knowledge.settle(claimed, unreadable)).toBe(true)
      expect(await storedTexts(documentId)).toEqual(OLD_TEXTS)
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      await requeue(tenant, documentId)
      const again = await claim()
      expect(await arrived(again, 'second')).toBe(0)
      await add(again, chunk(0, 'A shorter refund.', 0))
      await settle(again)
      expect(await searched(tenant, baseId)).toEqual(['A shorter refund.'])
      expect(await storedTexts(documentId)).toEqual(['A shorter refund.'])
    })

    it('with the same content and is unreadable keeps its searched chunks and current metadata', async () => {
      const { tenant, baseId, documentId } = await internal()
      await requeue(tenant, documentId)
      await subject().knowledge.settle(await claim(), { error: 'It is gone.', isUnreadable: true })
      expect(await storedTexts(documentId)).toEqual(OLD_TEXTS)
      await label(tenant, documentId, { audience: 'public' })
      expect(await searchedFor('public', baseId)).toEqual(OLD_TEXTS)
    })

    it('and is edited meanwhile gets nothing of the edit in between', async () => {
      const { tenant, baseId, documentId } = await edited()
      const between = await claim()
      await arrived(between, 'second')
      await add(between, chunk(0, 'Between: a refund.', 0))
      await edit(tenant, documentId, 'third')
      expect(await add(between, chunk(1, 'Between, late: a refund.', 0))).toBe(false)
      expect(await settle(between)).toBe(false)
      const last = await claim()
      expect(await add(between, chunk(2, 'Between, later: a refund.', 0))).toBe(false)
      expect(await arrived(last, 'third')).toBe(0)
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      await add(last, chunk(0, 'At last a refund.', 0))
      expect(await settle(last)).toBe(true)
      expect(await searched(tenant, baseId)).toEqual(['At last a refund.'])
    })

    it('by a process that lost its lease gets the chunks of the process that took over', async () => {
      const { tenant, baseId } = await edited()
      const lost = await claim()
      await arrived(lost, 'second')
      await add(lost, chunk(0, 'A refund takes 30 days.', 0))
      await subject().knowledge.postpone(lost, -1)
      const current = await claim()
      expect(await add(lost, chunk(1, 'A refund that is late.', 0))).toBe(false)
      expect(await arrived(current, 'second')).toBe(1)
      expect(await settle(lost)).toBe(false)
      expect(await searched(tenant, baseId)).toEqual(OLD_TEXTS)
      await add(current, chunk(1, 'A refund of gift cards is possible.', 0))
      await settle(current)
      expect(await searched(tenant, baseId)).toEqual([
        'A refund of gift cards is possible.',
        'A refund takes 30 days.',
      ])
    })

    it('and is deleted meanwhile is no longer found', async () => {
      const { tenant, baseId, documentId } = await edited()
      const claimed = await claim()
      await arrived(claimed, 'second')
      await add(claimed, chunk(0, 'A refund takes 30 days.', 0))
      await subject().transaction(({ write }) =>
        write.knowledge.deleteDocument(tenant.organizationId, documentId),
      )
      expect(await add(claimed, chunk(1, 'A refund that is late.', 0))).toBe(false)
      expect(await settle(claimed)).toBe(false)
      expect(await searched(tenant, baseId)).toEqual([])
    })

    it('has no passages before it was read for the first time', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await insert(tenant, baseId)
      const claimed = await claim()
      await arrived(claimed, documentId)
      await add(claimed, ...OLD)
      const ids = { baseId, documentId }
      const list = () =>
        subject().read.builder.knowledgePassages.list(tenant.organizationId, ids, { after: null, limit: 9 })
      expect(await list()).toEqual([])
      expect(await searched(tenant, baseId)).toEqual([])
      expect(await settle(claimed, 'It could not be read.')).toBe(true)
      expect(await list()).toEqual([])
      expect(await searched(tenant, baseId)).toEqual([])
    })

    it('is found across a switch to the vectors of another model, and is read again into them', async () => {
      const { tenant, baseId } = await edited()
      const model = await otherModel(tenant, baseId)
      const claimed = await claim()
      await arrived(claimed, 'second')
      await add(claimed, chunk(0, 'A refund takes 30 days.', 0))
      const first = await rebuild()
      expect(first.chunks.map(({ text }) => text).toSorted()).toEqual(OLD_TEXTS)
      expect(await subject().knowledge.switchSets(first)).toBe(false)
      expect(await subject().knowledge.addVectors(first, byOtherModel(first.chunks))).toBe(true)
      expect(await subject().knowledge.switchSets(first)).toBe(true)
      const [now] = await subject().read.knowledge.bases(tenant.organizationId, [baseId])
      expect(now).toMatchObject({ embedding: model, next: null })
      expect(await searched(tenant, baseId, [1, 0])).toEqual(OLD_TEXTS)
      expect(await settle(claimed)).toBe(false)
      await subject().knowledge.release(claimed)
      const again = await claim()
      // The stored chunks of this reading have no vectors of the new model.
      expect(await arrived(again, 'second')).toBe(0)
      await add(again, vectored(0, 'A refund takes 30 days.', [1, 0]))
      expect(await searched(tenant, baseId, [1, 0])).toEqual(OLD_TEXTS)
      expect(await settle(again)).toBe(true)
      expect(await searched(tenant, baseId, [1, 0])).toEqual(['A refund takes 30 days.'])
    })

    it('and is read before the switch gets vectors for its new text only', async () => {
      const { tenant, baseId } = await edited()
      await otherModel(tenant, baseId)
      const first = await rebuild()
      const vectors = byOtherModel(first.chunks)
      const [early, late] = [vectors.slice(0, 1), vectors.slice(1)]
      expect(await subject().knowledge.addVectors(first, early)).toBe(true)
      await read(await claim(), 'second', chunk(0, 'A refund takes 30 days.', 0))
      expect(await subject().knowledge.addVectors(first, late)).toBe(true)
      expect(await subject().knowledge.switchSets(first)).toBe(false)
      await subject().knowledge.postponeRebuild(first, { seconds: -1, error: null })
      const second = await rebuild()
      expect(second.chunks.map(({ text }) => text)).toEqual(['A refund takes 30 days.'])
      await subject().knowledge.addVectors(second, byOtherModel(second.chunks))
      expect(await subject().knowledge.switchSets(second)).toBe(true)
      expect(await searched(tenant, baseId, [1, 0])).toEqual(['A refund takes 30 days.'])
    })

    it('and settles while vectors of its former text are written has none of them after the switch', async () => {
      const { tenant, baseId, documentId } = await edited()
      await otherModel(tenant, baseId)
      const first = await rebuild()
      const claimed = await claim()
      await arrived(claimed, 'second')
      await add(claimed, chunk(0, 'A refund takes 30 days.', 0))
      const { knowledge } = subject()
      // The document is locked, so that the vectors are committed while the statement that settles it waits.
      const both = await during(
        (write) => write.lockDocument(tenant.organizationId, baseId, documentId),
        async () => {
          const vectors = knowledge.addVectors(first, byOtherModel(first.chunks))
          await pause(100)
          return Promise.all([vectors, settle(claimed)])
        },
      )
      expect(both).toEqual([true, true])
      await knowledge.postponeRebuild(first, { seconds: -1, error: null })
      const second = await rebuild()
      await knowledge.addVectors(second, byOtherModel(second.chunks))
      expect(await knowledge.switchSets(second)).toBe(true)
      expect(await searched(tenant, baseId, [1, 0])).toEqual(['A refund takes 30 days.'])
    })

    it('and is deleted while its vectors are written lets the other vectors be written', async () => {
      const { tenant, baseId, documentId } = await edited()
      await read(await claim(), 'second', chunk(0, 'A refund takes 30 days.', 0))
      await ready(tenant, baseId, [chunk(0, 'Another refund.', 20)])
      await otherModel(tenant, baseId)
      const first = await rebuild()
      expect(first.chunks).toHaveLength(2)
      const isHeld = await during(
        (write) => write.deleteDocument(tenant.organizationId, documentId),
        () => subject().knowledge.addVectors(first, byOtherModel(first.chunks)),
      )
      expect(isHeld).toBe(true)
      expect(await subject().knowledge.switchSets(first)).toBe(true)
      expect(await searched(tenant, baseId, [1, 0])).toEqual(['Another refund.'])
    })

    it('with another text and other metadata is never found with its former text under the new metadata', async () => {
      const { tenant, baseId, documentId } = await internal()
      await edit(tenant, documentId, 'second', { audience: 'public' })
      expect(await searchedFor('public', baseId)).toEqual([])
      expect(await searched(tenant, baseId)).toEqual([])
      expect(await storedTexts(documentId)).toEqual([])
      const claimed = await claim()
      expect(await arrived(claimed, 'second')).toBe(0)
      await add(claimed, chunk(0, 'A public refund.', 0))
      expect(await settle(claimed, 'The provider is down.')).toBe(true)
      expect(await searched(tenant, baseId)).toEqual([])
      await requeue(tenant, documentId)
      const again = await claim()
      expect(await arrived(again, 'second')).toBe(1)
      await settle(again)
      expect(await searchedFor('public', baseId)).toEqual(['A public refund.'])
      expect(await searched(tenant, baseId)).toEqual(['A public refund.'])
    })

    it.each([
      ['before it is read', 0, async () => {}],
      ['when a part is stored', 1, async () => subject().knowledge.postpone(await partOf('second'), -1)],
      ['when it has failed', 1, async () => settle(await partOf('second'), 'The provider is down.')],
    ])('and gets other metadata %s is no longer found with its former text', async (_, stored, until) => {
      const { tenant, baseId, documentId } = await internal()
      await edit(tenant, documentId, 'second', { audience: 'internal' })
      await until()
      expect(await searchedFor('internal', baseId)).toEqual(OLD_TEXTS)
      await label(tenant, documentId, { audience: 'public' })
      expect(await searchedFor('public', baseId)).toEqual([])
      expect(await searched(tenant, baseId)).toEqual([])
      await requeue(tenant, documentId)
      const claimed = await claim()
      // The stored chunks of the new text are not embedded again.
      expect(await arrived(claimed, 'second')).toBe(stored)
      await add(claimed, chunk(0, 'A public refund.', 0))
      await settle(claimed)
      expect(await searchedFor('public', baseId)).toEqual(['A public refund.'])
    })

    it('and gets other metadata is found by them at once if the searched text is current', async () => {
      const { tenant, baseId, documentId } = await internal()
      await label(tenant, documentId, { audience: 'partners' })
      expect(await searchedFor('partners', baseId)).toEqual(OLD_TEXTS)
      await requeue(tenant, documentId)
      await label(tenant, documentId, { audience: 'public' })
      expect(await searchedFor('public', baseId)).toEqual(OLD_TEXTS)
      const claimed = await claim()
      expect(await arrived(claimed, documentId)).toBe(2)
      await label(tenant, documentId, { audience: 'everyone' })
      expect(await searchedFor('everyone', baseId)).toEqual(OLD_TEXTS)
      await settle(claimed)
      expect(await searchedFor('everyone', baseId)).toEqual(OLD_TEXTS)
    })

    it('from its address and gets other metadata meanwhile is found once its current text is known', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      const documentId = await insert(tenant, baseId, { audience: 'internal' }, 'https://example.com/refunds')
      await read(await claim(), 'first', ...OLD)
      await requeue(tenant, documentId)
      await label(tenant, documentId, { audience: 'public' })
      expect(await searchedFor('public', baseId)).toEqual([])
      const claimed = await claim()
      expect(await arrived(claimed, 'first')).toBe(2)
      await settle(claimed)
      expect(await searchedFor('public', baseId)).toEqual(OLD_TEXTS)
      await label(tenant, documentId, { audience: 'everyone' })
      expect(await searchedFor('everyone', baseId)).toEqual(OLD_TEXTS)
    })

    it('waits for a change of its base without holding the document', async () => {
      const { tenant, baseId, documentId } = await edited()
      const claimed = await claim()
      await arrived(claimed, 'second')
      const { organizationId } = tenant
      const isHeld = await during(
        (write) => write.lockBase(organizationId, baseId),
        () => add(claimed, chunk(0, 'A refund takes 30 days.', 0)),
        (write) => write.deleteDocument(organizationId, documentId),
      )
      expect(isHeld).toBe(false)
      expect(await searched(tenant, baseId)).toEqual([])
    })
  })
}
