import { expect, test } from 'vitest'
import { type Curve, curvePath, reversed, spotsAlong } from './curve.ts'

const curve: Curve = [
  { x: 40, y: 10 },
  { x: 50, y: 10 },
  { x: 50, y: 90 },
  { x: 60, y: 90 },
]

test('places along a curve go from its start to its end, with its middle between them', () => {
  expect(spotsAlong(curve, 3)).toEqual([
    { x: 40, y: 10 },
    { x: 50, y: 50 },
    { x: 60, y: 90 },
  ])
})

test('a reversed curve has the same places the other way around', () => {
  expect(spotsAlong(reversed(curve), 5)).toEqual(spotsAlong(curve, 5).reverse())
})

test('the path of a curve names its start, its handles and its end', () => {
  expect(curvePath(curve)).toBe('M40 10C50 10 50 90 60 90')
})
