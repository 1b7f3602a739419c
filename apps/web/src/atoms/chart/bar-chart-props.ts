import type { SeriesTone } from './series-colour.ts'

/** One of the stacked items. */
export interface ChartSeries {
  id: string
  label: string
  /** Without one, series have the colours of their places. */
  tone?: SeriesTone
}

/** One bar. */
export interface ChartPoint {
  id: string
  /** As the axis and the table say it: "22 Nov". */
  label: string
  /** The axis label of the bar; '' for none. Without it, the axis has as many labels as fit. */
  axis?: string
  /** By the ids of the series; absent: 0. */
  values: Readonly<Record<string, number>>
  /** Its time has not ended, so its bar is hatched: it is not a drop. */
  isOpen?: boolean
}

export interface BarChartProps {
  /** Name of the chart: "Cost by model". */
  label: string
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  format(value: number): string
  /** In pixels; 180 when absent. */
  height?: number
  /** A range that was dragged over, by the indexes of its first and last point. */
  onRange?: (from: number, to: number) => void
}
