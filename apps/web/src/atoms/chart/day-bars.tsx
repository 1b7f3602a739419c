import styles from './day-bars.module.css'

export interface DayBarsProps {
  /** The number of runs by day, oldest first. */
  ok: readonly number[]
  failed: readonly number[]
}

const WIDTH = 6
const GAP = 2
const HEIGHT = 16
/**
 * Minimum height: a day with few runs is visible beside a busy one, and a day without runs has its base line.
 */
const LEAST = 2
const BASE = 1

/** A bar for each day, its failures at the foot. Decorative: the numbers are beside it. */
export function DayBars({ ok, failed }: DayBarsProps) {
  const top = Math.max(...ok.map((count, day) => count + (failed[day] ?? 0)), 1)
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / top) * HEIGHT))
  const width = ok.length * (WIDTH + GAP) - GAP
  return (
    <svg
      className={styles.bars}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
    >
      {ok.map((completed, day) => {
        const x = day * (WIDTH + GAP)
        const bad = heightOf(failed[day] ?? 0)
        const good = Math.min(heightOf(completed), HEIGHT - bad)
        return (
          <g key={x}>
            {bad + good === 0 && <rect x={x} y={HEIGHT - BASE} width={WIDTH} height={BASE} />}
            {good > 0 && (
              <rect data-is="ok" x={x} y={HEIGHT - bad - good} width={WIDTH} height={good} rx={1} />
            )}
            {bad > 0 && <rect data-is="failed" x={x} y={HEIGHT - bad} width={WIDTH} height={bad} rx={1} />}
          </g>
        )
      })}
    </svg>
  )
}
