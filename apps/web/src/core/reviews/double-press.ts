/** How long a review that a decision has brought up takes none itself, in milliseconds. */
export const PAUSE_MS = 800

/** What the last decision has brought up; whatever else is open, somebody has opened by hand. */
export interface BroughtUp {
  id: string
  /** null: it is not on the screen yet. */
  shownAtMs: number | null
}

/** What was brought up, once it is on the screen. Shown anew, it still is on the screen since the first time. */
export function shownAt(broughtUp: BroughtUp | null, id: string, nowMs: number): BroughtUp | null {
  return broughtUp?.id === id && broughtUp.shownAtMs === null ? { id, shownAtMs: nowMs } : broughtUp
}

/** Whether a press on a review is the second of two that were meant for the one before: nobody has read this one yet. */
export function isDoublePress(broughtUp: BroughtUp | null, id: string, pressedAtMs: number): boolean {
  if (broughtUp?.id !== id) return false
  return broughtUp.shownAtMs === null || pressedAtMs - broughtUp.shownAtMs < PAUSE_MS
}
