import { expect, test } from 'vitest'
import { barText, seriesWithValues, totalOf, withoutHidden } from './shown-chart.ts'

const SERIES = [
  { id: 'ok', label: 'Completed' },
  { id: 'failed', label: 'Failed' },
  { id: 'other', label: 'Canceled' },
]
const point = (values: Record<string, number>) => ({ id: '1', label: '1 Nov', values })

test('series without any value are omitted, and the others keep the colour of their place', () => {
  const shown = seriesWithValues(SERIES, [point({ ok: 2, failed: 0 }), point({ other: 1 })])
  expect(shown.map(({ id, place }) => [id, place])).toEqual([
    ['ok', 0],
    ['other', 2],
  ])
})

test('a chart without any value keeps all of its series', () => {
  expect(seriesWithValues(SERIES, [point({})])).toHaveLength(3)
})

test('a series that is hidden does not leave an empty chart when it becomes the only one', () => {
  const hidden = new Set(['ok'])
  const before = seriesWithValues(SERIES, [point({ ok: 2, failed: 1 })])
  expect(withoutHidden(before, hidden).map(({ id }) => id)).toEqual(['failed'])
  const after = seriesWithValues(SERIES, [point({ ok: 2 })])
  expect(withoutHidden(after, hidden).map(({ id }) => id)).toEqual(['ok'])
})

test('a total counts the given series only', () => {
  expect(totalOf(point({ ok: 2, failed: 3 }), SERIES.slice(1))).toBe(3)
})

test('a bar in words has its parts and, of several, their total', () => {
  const text = (values: Record<string, number>) => barText(point(values), SERIES, String)
  expect(text({ ok: 2, failed: 3 })).toBe('1 Nov: Completed 2, Failed 3, total 5')
  expect(text({ ok: 2, failed: 0 })).toBe('1 Nov: Completed 2')
  expect(text({})).toBe('1 Nov: total 0')
  expect(barText(undefined, SERIES, String)).toBe('')
})
