import { chartWords as words } from '../../core/messages/en/charts.ts'
import type { ChartPoint } from './bar-chart-props.ts'
import styles from './chart.module.css'
import { seriesColour } from './series-colour.ts'
import { type PlacedSeries, totalOf } from './shown-chart.ts'

export interface BarCardProps {
  point: ChartPoint
  series: readonly PlacedSeries[]
  format(value: number): string
  /** The middle of its bar and the width of the chart, in pixels. */
  left: number
  width: number
}

const CARD_PX = 192

/** The parts of one bar, beside the pointer. The table of the chart has the same values. */
export function BarCard({ point, series, format, left, width }: BarCardProps) {
  const rows = series.filter(({ id }) => (point.values[id] ?? 0) !== 0)
  // The bar stays visible: the card is beside it, where there is room.
  const start = left + CARD_PX + 12 > width ? left - CARD_PX - 12 : left + 12
  return (
    <div
      className={styles.card}
      style={{ insetInlineStart: Math.max(0, start), width: CARD_PX }}
      aria-hidden="true"
    >
      <div className={styles.cardTitle}>{point.label}</div>
      {rows.map(({ id, label, tone, place }) => (
        <div key={id} className={styles.cardRow}>
          <span className={styles.key} style={{ background: seriesColour(place, tone) }} />
          <span className={styles.cardName}>{label}</span>
          <span>{format(point.values[id] ?? 0)}</span>
        </div>
      ))}
      {rows.length !== 1 && (
        <div className={styles.cardTotal}>
          <span className={styles.cardName}>{words.total}</span>
          <span>{format(totalOf(point, series))}</span>
        </div>
      )}
      {point.isOpen && <div className={styles.cardNote}>{words.notEnded}</div>}
    </div>
  )
}
