import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitVector } from './unit-vector.ts'

test('a vector has length 1 and keeps its direction', () => {
  expect(unitVector([3, 4])).toEqual([Math.f16round(0.6), Math.f16round(0.8)])
  expect(unitVector([1e300, 0])).toEqual([1, 0])
})

test('a vector without a direction is refused', () => {
  for (const vector of [[], [0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1]]) {
    expect(unitVector(vector)).toBeNull()
  }
})

test('any vector has a length near 1, in half precision', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (vector) => {
      const unit = unitVector(vector)
      if (unit === null) return
      expect(Math.sqrt(unit.reduce((sum, value) => sum + value * value, 0))).toBeCloseTo(1, 2)
      expect(unit.every((value) => Math.f16round(value) === value)).toBe(true)
    }),
  )
})
