/** Concurrent media requests: a round over many sessions must not delay the start of another. */
const GROUP = 10

/** Runs a task for each item, a few at a time; the first failure ends the round. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP) {
    await Promise.all(items.slice(start, start + GROUP).map(work))
  }
}
