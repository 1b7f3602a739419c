import { chartWords as words } from '../../core/messages/en/charts.ts'
import type { ChartPoint, ChartSeries } from './bar-chart-props.ts'

/** A series with the colour of its place, which it keeps while others are hidden. */
export interface PlacedSeries extends ChartSeries {
  place: number
}

/** The series with any values: a legend of zeros is useless. All of them if everything is zero. */
export function seriesWithValues(
  series: readonly ChartSeries[],
  points: readonly ChartPoint[],
): readonly PlacedSeries[] {
  const placed = series.map((one, place) => ({ ...one, place }))
  const some = placed.filter(({ id }) => points.some(({ values }) => (values[id] ?? 0) !== 0))
  return some.length === 0 ? placed : some
}

/** The series that are not hidden; all of them if none would be left. */
export function withoutHidden(
  series: readonly PlacedSeries[],
  hidden: ReadonlySet<string>,
): readonly PlacedSeries[] {
  const left = series.filter(({ id }) => !hidden.has(id))
  return left.length === 0 ? series : left
}

/** A bar in words: "22 Nov: gpt 3, claude 2, total 5". Empty without a point. */
export function barText(
  point: ChartPoint | undefined,
  series: readonly ChartSeries[],
  format: (value: number) => string,
): string {
  if (!point) return ''
  const parts = series.filter(({ id }) => (point.values[id] ?? 0) !== 0)
  const named = parts.map(({ id, label }) => `${label} ${format(point.values[id] ?? 0)}`)
  const total = parts.length === 1 ? [] : [words.totalOf(format(totalOf(point, series)))]
  return `${point.label}: ${[...named, ...total].join(', ')}`
}

/** The sum of a point over some series. */
export function totalOf({ values }: ChartPoint, series: readonly ChartSeries[]): number {
  return series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0)
}
