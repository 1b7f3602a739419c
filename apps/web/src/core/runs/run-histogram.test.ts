import { expect, test } from 'vitest'
import { bucketRange, histogramPoints } from './run-histogram.ts'

const bucket = { at: 7_200, completed: 3, failed: 1, other: 0, inFlight: 0 }
const counts = { from: 3_600, to: 18_000, bucketSeconds: 3_600, data: [bucket] }

test('buckets without runs are included', () => {
  const points = histogramPoints(counts, 0)
  expect(points.map(({ values }) => values.completed)).toEqual([0, 3, 0, 0])
  expect(points[1]?.values.failed).toBe(1)
})

test('dragging over bars means the time from the first to the end of the last, never beyond the whole', () => {
  expect(bucketRange(counts, 1, 2)).toEqual({ from: 7_200, to: 14_400 })
  expect(bucketRange({ ...counts, to: 17_000 }, 3, 3)).toEqual({ from: 14_400, to: 17_000 })
})
