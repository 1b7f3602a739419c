/** An item that waits for a decision. */
interface Waiting {
  id: string
  /** Unix seconds; null: without a deadline. */
  expiresAt: number | null
  createdAt: number
}

/** A stable order of otherwise equal items. */
export const compareIds = ({ id: a }: { id: string }, { id: b }: { id: string }) =>
  a < b ? -1 : a > b ? 1 : 0

/** Open decisions by deadline: the nearest first, those without one last; then the oldest first. */
export function byDeadline<T extends Waiting>(items: readonly T[]): T[] {
  const deadline = ({ expiresAt }: T) => expiresAt ?? Number.POSITIVE_INFINITY
  return items.toSorted((a, b) => {
    const [first, second] = [deadline(a), deadline(b)]
    return first === second ? a.createdAt - b.createdAt || compareIds(a, b) : first - second
  })
}
