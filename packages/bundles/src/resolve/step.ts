/** The planned outcome for one row. */
export interface Step<T> {
  /** null: the row is new. */
  before: T | null
  after: T
  /** False when nothing is written. */
  changed: boolean
}

/** A count per outcome. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
}

export function count(steps: readonly Step<unknown>[]): Counts {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 }
  for (const { before, changed } of steps) {
    if (!changed) counts.unchanged += 1
    else if (before === null) counts.created += 1
    else counts.updated += 1
  }
  return counts
}
