import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NearestVectors } from './nearest-vectors.ts'

const value = fc.constantFrom(-1, -0.5, 0, 0.25, 0.5, 1)
const vector = fc.array(value, { minLength: 3, maxLength: 3 })

test('the nearest are those of a full comparison, however the vectors are split', () => {
  fc.assert(
    fc.property(
      vector,
      fc.array(fc.array(vector, { maxLength: 9 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      (asked, parts, limit) => {
        const search = new NearestVectors(asked, limit)
        const all: { id: string; similarity: number }[] = []
        for (const [n, vectors] of parts.entries()) {
          const ids = vectors.map((_, at) => `p${n}-${at}`)
          search.look({ ids, dims: 3, values: new Float32Array(vectors.flat()) })
          for (const [at, one] of vectors.entries()) {
            const similarity = one.reduce<number>((sum, x, i) => sum + x * (asked[i] ?? 0), 0)
            all.push({ id: ids[at] ?? '', similarity })
          }
        }
        const sorted = all.toSorted((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
        expect(search.found).toEqual(sorted.slice(0, limit))
      },
    ),
  )
})

test('vectors of another length are omitted', () => {
  const search = new NearestVectors([1, 0], 5)
  search.look({ ids: ['a'], dims: 3, values: Float32Array.of(1, 0, 0) })
  expect(search.found).toEqual([])
})
