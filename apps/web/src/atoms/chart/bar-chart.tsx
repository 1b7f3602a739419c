import { useId, useMemo, useState } from 'react'
import { chartWords as words } from '../../core/messages/en/charts.ts'
import { Segments } from '../controls/choices.tsx'
import type { BarChartProps } from './bar-chart-props.ts'
import { Bars } from './bars.tsx'
import styles from './chart.module.css'
import { RowBars } from './row-bars.tsx'
import { seriesColour } from './series-colour.ts'
import { seriesWithValues, withoutHidden } from './shown-chart.ts'

/** Up to this many points show no trend, so each is a row. */
const MOST_ROWS = 2

/** Stacked bars over time, and the same numbers as a table. */
export function BarChart(props: BarChartProps) {
  const { label, series: all, points, format, onRange } = props
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const series = useMemo(() => seriesWithValues(all, points), [all, points])
  const shown = withoutHidden(series, hidden)
  const toggle = (id: string) => {
    const next = new Set(series.filter((one) => !shown.includes(one)).map((one) => one.id))
    if (!next.delete(id)) next.add(id)
    setHidden(next)
  }
  const titleId = useId()
  const Drawing = points.length <= MOST_ROWS && !onRange ? RowBars : Bars
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption id={titleId} className="visually-hidden">
        {label}
      </figcaption>
      <div className={styles.head}>
        <ul className={styles.legend}>
          {series.length > 1 &&
            series.map(({ id, label: name, tone, place }) => (
              <li key={id}>
                <button
                  type="button"
                  className={styles.toggle}
                  aria-pressed={shown.some((one) => one.id === id)}
                  onClick={() => toggle(id)}
                >
                  <span className={styles.key} style={{ background: seriesColour(place, tone) }} />
                  {name}
                </button>
              </li>
            ))}
        </ul>
        <Segments<'chart' | 'table'>
          label={words.view(label)}
          value={view}
          onChange={setView}
          options={[
            { id: 'chart', label: 'Chart' },
            { id: 'table', label: 'Table' },
          ]}
        />
      </div>
      {view === 'chart' ? (
        <Drawing {...props} series={shown} />
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
