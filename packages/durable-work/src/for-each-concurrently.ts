import { TurnParked } from './interruption.ts'

/**
 * Runs `work` for every item, at most `limit` concurrently, starting in order. After an error no further item
 * starts, running ones are awaited, and the first error is thrown: no work continues after the call. An item that
 * parks does not hold up the others, unless they run one after another; TurnParked is thrown when they have ended.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  let parked: TurnParked | null = null
  let next = 0
  const worker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next
      next += 1
      try {
        await work(items[index] as T, index)
      } catch (error) {
        if (error instanceof TurnParked && limit > 1) parked = error
        else failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  if (parked) throw parked
}
