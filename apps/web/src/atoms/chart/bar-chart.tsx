import { useId, useState } from 'react'
import { Segments } from '../controls/choices.tsx'
import { Bars } from './bars.tsx'
import styles from './chart.module.css'
import { type SeriesTone, seriesColour } from './series-colour.ts'

/** One of the things that are stacked. */
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
  /** What the axis says below the bar; '' for nothing. Without it, the axis says as many labels as fit. */
  axis?: string
  /** By the ids of the series; absent: 0. */
  values: Readonly<Record<string, number>>
}

export interface BarChartProps {
  /** What the chart shows: "Cost by model". */
  label: string
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  format(value: number): string
  /** In pixels; 180 when absent. */
  height?: number
  /** A range that was dragged over, by the indexes of its first and last point. */
  onRange?: (from: number, to: number) => void
}

/** Stacked bars over time, and the same numbers as a table. */
export function BarChart(props: BarChartProps) {
  const { label, series, points, format } = props
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const titleId = useId()
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption id={titleId} className="visually-hidden">
        {label}
      </figcaption>
      <div className={styles.head}>
        <ul className={styles.legend}>
          {series.length > 1 &&
            series.map(({ id, label: name, tone }, index) => (
              <li key={id}>
                <span className={styles.key} style={{ background: seriesColour(index, tone) }} />
                {name}
              </li>
            ))}
        </ul>
        <Segments<'chart' | 'table'>
          label={`${label}: view`}
          value={view}
          onChange={setView}
          options={[
            { id: 'chart', label: 'Chart' },
            { id: 'table', label: 'Table' },
          ]}
        />
      </div>
      {view === 'chart' ? (
        <Bars {...props} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.scroll} aria-label={label} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <td />
                {series.map(({ id, label: name }) => (
                  <th key={id} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.id}>
                  <th scope="row">{point.label}</th>
                  {series.map(({ id }) => (
                    <td key={id}>{format(point.values[id] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </figure>
  )
}
