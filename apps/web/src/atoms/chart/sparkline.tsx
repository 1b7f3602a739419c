import styles from './sparkline.module.css'

export interface SparklineProps {
  /** Oldest first. */
  values: readonly number[]
  tone?: 'accent' | 'bad'
}

const WIDTH = 96
const HEIGHT = 32
const EDGE = 2

/**
 * The trend of a number without an axis, 32 px high; nothing if it was always 0. Decoration: the number is beside it.
 */
export function Sparkline({ values, tone = 'accent' }: SparklineProps) {
  const top = Math.max(...values, 0)
  if (top === 0) return null
  const step = values.length > 1 ? (WIDTH - 2 * EDGE) / (values.length - 1) : 0
  const points = values.map((value, index) => {
    const y = HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE)
    return `${(EDGE + index * step).toFixed(1)},${y.toFixed(1)}`
  })
  const line = points.join(' ')
  return (
    <svg
      className={styles.line}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`${EDGE},${HEIGHT} ${line} ${WIDTH - EDGE},${HEIGHT}`} />
      <polyline points={line} />
    </svg>
  )
}
