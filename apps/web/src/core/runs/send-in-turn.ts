/** The results of changes sent one after the other. */
export interface SentInTurn<Failure> {
  done: number
  failures: readonly Failure[]
}

/**
 * Sends a change for each item, one after the other: a refused one does not stop the others. Once `signal` is aborted,
 * nothing more is sent.
 *
 * @param send resolves to a failure, or null
 */
export async function sendInTurn<Item, Failure>(
  items: readonly Item[],
  send: (item: Item) => Promise<Failure | null>,
  signal: AbortSignal,
): Promise<SentInTurn<Failure>> {
  const failures: Failure[] = []
  let done = 0
  for (const item of items) {
    if (signal.aborted) break
    const failure = await send(item)
    if (failure === null) done += 1
    else failures.push(failure)
  }
  return { done, failures }
}
