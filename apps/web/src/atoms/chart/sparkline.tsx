import styles from './sparkline.module.css'

export interface SparklineProps {
  /** Oldest first. */
  values: readonly number[]
  tone?: 'accent' | 'bad'
}

const WIDTH = 96
const HEIGHT = 32
const GAP = 1
/** A small value beside a large one remains visible; 0 has only the base line. */
const LEAST = 3
const BASE = 1

/**
 * The trend of a number as bars without an axis, 32 px high; nothing if all values are 0. Decorative: the number is
 * beside it.
 */
export function Sparkline({ values, tone = 'accent' }: SparklineProps) {
  const top = Math.max(...values, 0)
  if (top === 0) return null
  const step = (WIDTH + GAP) / values.length
  return (
    <svg
      className={styles.bars}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, index) => {
        const height = value > 0 ? Math.max(LEAST, (value / top) * HEIGHT) : BASE
        const x = index * step
        return (
          <rect
            key={x}
            className={value > 0 ? undefined : styles.none}
            {...{ x, y: HEIGHT - height, width: step - GAP, height }}
          />
        )
      })}
    </svg>
  )
}
