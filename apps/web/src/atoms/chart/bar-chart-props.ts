import type { SeriesTone } from './series-colour.ts'

/** One of the stacked items. */
export interface ChartSeries {
  id: string
  label: string
  /** Absent: the colour of its position. */
  tone?: SeriesTone
}

/** One bar. */
export interface ChartPoint {
  id: string
  /** As on the axis and in the table: "22 Nov". */
  label: string
  /** The axis label of the bar; '' for none. Without it, the axis has as many labels as fit. */
  axis?: string
  /** By the ids of the series; absent: 0. */
  values: Readonly<Record<string, number>>
  /** Its period has not ended: the bar is hatched, so that it does not look like a drop. */
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
  /** Called with a dragged range: the indexes of its first and last point. */
  onRange?: (from: number, to: number) => void
}
