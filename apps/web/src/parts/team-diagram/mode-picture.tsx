import type { CoordinationMode } from '@troupe/contract'
import styles from './mode-picture.module.css'

/** A line between two points, and whether the message uses it in this picture. */
type Stroke = readonly [d: string, isLit: boolean]

interface Picture {
  strokes: readonly Stroke[]
  /** Lead, then members. */
  dots: readonly (readonly [x: number, y: number])[]
}

const RIGHT_DOTS = [
  [32, 5],
  [32, 12],
  [32, 19],
] as const

/** In a box of 40 by 24: a fork, a star, a fan, a board. */
const PICTURES: Record<CoordinationMode, Picture> = {
  handoff: {
    strokes: [
      ['M8 12C20 12 20 5 32 5', false],
      ['M8 12L32 12', true],
      ['M8 12C20 12 20 19 32 19', false],
    ],
    dots: [[8, 12], ...RIGHT_DOTS],
  },
  'dynamic-delegation': {
    strokes: [
      ['M20 12L6 5', true],
      ['M20 12L34 5', true],
      ['M20 12L6 19', true],
      ['M20 12L34 19', false],
    ],
    dots: [
      [20, 12],
      [6, 5],
      [34, 5],
      [6, 19],
      [34, 19],
    ],
  },
  parallel: {
    strokes: [
      ['M6 12C14 12 12 5 20 5S26 12 34 12', true],
      ['M6 12L34 12', true],
      ['M6 12C14 12 12 19 20 19S26 12 34 12', true],
    ],
    dots: [
      [6, 12],
      [20, 5],
      [20, 12],
      [20, 19],
      [34, 12],
    ],
  },
  'plan-execute': {
    strokes: [
      ['M6 7L17 7', true],
      ['M6 17L17 17', true],
      ['M17 7L28 12', true],
      ['M17 17L28 12', true],
      ['M34 12C39 22 3 26 6 19', false],
    ],
    dots: [
      [34, 12],
      [6, 7],
      [6, 17],
      [17, 7],
      [17, 17],
    ],
  },
}

/** The small icon of a mode, a decoration beside its name. */
export function ModePicture({ mode, size = 'small' }: { mode: CoordinationMode; size?: 'small' | 'large' }) {
  const { strokes, dots } = PICTURES[mode]
  return (
    <svg className={styles.picture} data-size={size} viewBox="0 0 40 24" aria-hidden="true" focusable="false">
      {strokes.map(([d, isLit]) => (
        <path key={d} d={d} className={isLit ? styles.lit : styles.line} />
      ))}
      {dots.map(([x, y], index) => (
        <circle
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          r={index === 0 ? 3 : 2.4}
          className={index === 0 ? styles.lead : styles.dot}
        />
      ))}
    </svg>
  )
}
