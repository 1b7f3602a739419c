/** How long a review opened by a decision accepts none itself, in milliseconds. */
export const PAUSE_MS = 800

/** The review opened by the last decision; any other one was opened by the user. */
export interface BroughtUp {
  id: string
  /** null: it is not on the screen yet. */
  shownAtMs: number | null
}

/** The opened review, once it is rendered. A rerender keeps its first time. */
export function shownAt(broughtUp: BroughtUp | null, id: string, nowMs: number): BroughtUp | null {
  return broughtUp?.id === id && broughtUp.shownAtMs === null ? { id, shownAtMs: nowMs } : broughtUp
}

/** Whether a press on a review is the second of a double press on the previous one: nobody can have read this one yet. */
export function isDoublePress(broughtUp: BroughtUp | null, id: string, pressedAtMs: number): boolean {
  if (broughtUp?.id !== id) return false
  return broughtUp.shownAtMs === null || pressedAtMs - broughtUp.shownAtMs < PAUSE_MS
}
