/** How long a review that a decision has brought up takes none itself, in milliseconds. */
export const PAUSE_MS = 800

/** When a decision was pressed, and when what is decided came up. */
interface Press {
  /** Whether the decision before has brought it up: whoever opened it by hand has chosen it. */
  isNext: boolean
  /** null: it is not on the screen yet. */
  shownAtMs: number | null
  pressedAtMs: number
}

/** Whether a press is the second of two that were meant for the review before: nobody has read this one yet. */
export function isDoublePress({ isNext, shownAtMs, pressedAtMs }: Press): boolean {
  return isNext && (shownAtMs === null || pressedAtMs - shownAtMs < PAUSE_MS)
}
