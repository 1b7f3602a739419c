import { chartWords as words } from '../../core/messages/en/charts.ts'
import type { BarChartProps } from './bar-chart-props.ts'
import styles from './row-bars.module.css'
import { seriesColour } from './series-colour.ts'
import { barText, type PlacedSeries, totalOf } from './shown-chart.ts'

interface RowBarsProps extends Pick<BarChartProps, 'label' | 'points' | 'format'> {
  series: readonly PlacedSeries[]
}

/**
 * One horizontal bar with its total for each point. Used for so few points that vertical bars would leave most of
 * the plot empty.
 */
export function RowBars({ label, points, series, format }: RowBarsProps) {
  const top = Math.max(...points.map((point) => totalOf(point, series)), 0)
  return (
    <ul className={styles.rows} aria-label={label}>
      {points.map((point) => (
        <li key={point.id} className={styles.row}>
          <span className="visually-hidden">{barText(point, series, format)}</span>
          <span className={styles.label} aria-hidden="true">
            {point.label}
            {point.isOpen && <span className={styles.note}> {words.soFar}</span>}
          </span>
          <span className={styles.track} aria-hidden="true">
            {series.map(({ id, label: name, tone, place }) => {
              const value = point.values[id] ?? 0
              if (value <= 0) return null
              return (
                <span
                  key={id}
                  className={styles.part}
                  title={`${name}: ${format(value)}`}
                  style={{ inlineSize: `${(value / top) * 100}%`, background: seriesColour(place, tone) }}
                />
              )
            })}
          </span>
          <span className={styles.total} aria-hidden="true">
            {format(totalOf(point, series))}
          </span>
        </li>
      ))}
    </ul>
  )
}
