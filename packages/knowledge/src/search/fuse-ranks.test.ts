import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuseRanks } from './fuse-ranks.ts'

test('passages in both rankings come first', () => {
  expect(
    fuseRanks([
      ['a', 'b'],
      ['b', 'c'],
    ]).map(({ id }) => id),
  ).toEqual(['b', 'a', 'c'])
})

test('a score is the sum of 1 / (60 + rank)', () => {
  expect(fuseRanks([['a'], ['b', 'a']])).toEqual([
    { id: 'a', score: 1 / 61 + 1 / 62 },
    { id: 'b', score: 1 / 61 },
  ])
})

test('equal scores keep the order of the last ranking', () => {
  expect(fuseRanks([['vector'], ['words']]).map(({ id }) => id)).toEqual(['words', 'vector'])
})

const ranking = fc.uniqueArray(fc.integer({ min: 0, max: 50 }).map(String))

test('every item comes once, best first, and one ranking alone keeps its order', () => {
  fc.assert(
    fc.property(ranking, ranking, (one, two) => {
      const fused = fuseRanks([one, two])
      expect(new Set(fused.map(({ id }) => id))).toEqual(new Set([...one, ...two]))
      expect(fused).toHaveLength(new Set([...one, ...two]).size)
      const scores = fused.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(fuseRanks([one]).map(({ id }) => id)).toEqual(one)
    }),
  )
})
