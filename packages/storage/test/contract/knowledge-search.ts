import { describe, expect, it } from 'vitest'
import type { VectorSearch } from '../../src/passages/port.ts'
import { chunk, knowledgeBuilders, pointing, scattered } from './knowledge-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

/** Search results, with a vector index and with an exhaustive comparison. */
export function knowledgeSearchContract(subject: Subject, how: VectorSearch): void {
  const { base, insert, claim, ready, texts } = knowledgeBuilders(subject)

  describe('a search of knowledge', () => {
    it(`finds the nearest vectors of the requested bases (${how})`, async () => {
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
      const matching = async (text: string, filters: Record<string, unknown>) => {
        const { words } = await subject().knowledge.matching({ baseIds: [baseId], filters }, 'english', text)
        return texts([...new Set(words.flatMap(({ ids }) => ids))])
      }
      expect(await matching('how long does a refund take?', { region: 'eu', tags: ['b'] })).toEqual([
        'Refunds take 14 days.',
      ])
      expect(await matching('refunding & shipping | "(', {})).toHaveLength(3)
      expect(await matching('the of and', {})).toEqual([])
    })

    it('has the chunks of each word and of its repetitions, only in the requested bases', async () => {
      const tenant = await createTenant(subject())
      const [mine, other, third] = [await base(tenant), await base(tenant), await base(tenant)]
      const often = (times: number) => `${'refund '.repeat(times)}on day ${times}`
      await ready(
        tenant,
        mine,
        [1, 2, 3, 4, 9].map((times, at) => chunk(at, often(times))),
      )
      await ready(tenant, other, [chunk(0, often(5)), chunk(1, 'Shipping is free.')])
      await ready(tenant, third, [chunk(0, often(6))])
      await insert(tenant, mine)
      const unread = await claim()
      await subject().knowledge.addChunks(unread, unread.base, [chunk(0, 'a refund that is not ready')])
      const found = async (baseIds: (typeof mine)[]) => {
        const { chunks, words } = await subject().knowledge.matching(
          { baseIds, filters: {} },
          'english',
          'Refunds? Refunds! And shipping?',
        )
        const listed = await Promise.all(
          words.map(async ({ word, gain, isCut, ids }) => {
            const shown = await texts(ids)
            return [word, gain, isCut, shown.toSorted()] as const
          }),
        )
        return { chunks, words: listed.toSorted(([a, x], [b, y]) => (a === b ? y - x : a < b ? -1 : 1)) }
      }
      const refunds = (...times: number[]) => times.map(often).toSorted()
      expect(await found([mine])).toEqual({
        chunks: 5,
        words: [
          ['refund', 1, false, refunds(1, 2, 3, 4, 9)],
          ['refund', 0.38, false, refunds(2, 3, 4, 9)],
          ['refund', 0.32, false, refunds(4, 9)],
        ],
      })
      expect(await found([mine, other])).toEqual({
        chunks: 7,
        words: [
          ['refund', 1, false, refunds(1, 2, 3, 4, 9, 5)],
          ['refund', 0.38, false, refunds(2, 3, 4, 9, 5)],
          ['refund', 0.32, false, refunds(4, 9, 5)],
          ['ship', 1, false, ['Shipping is free.']],
        ],
      })
      await subject().knowledge.settle(unread, { error: null })
    })

    it(`finds the same among hundreds of chunks, also with a filter (${how})`, {
      timeout: 240_000,
    }, async () => {
      const tenant = await createTenant(subject())
      const [mine, crowd] = [await base(tenant), await base(tenant)]
      const spread = (count: number, name: string) =>
        Array.from({ length: count }, (_, at) => ({
          ...chunk(at, `${name} ${at}`),
          embedding: scattered(at),
        }))
      const many = spread(800, 'crowd')
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
  })
}
