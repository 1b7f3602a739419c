/** A caller's first and last run are not counted: only in between are all callers active. */
export const RUNS_PER_COUNTED = 3

/**
 * `callers` repeat `send` with starts spread evenly over `runMs`, the length of one run, like independent
 * callers that do not start in the same millisecond.
 *
 * @returns milliseconds of every caller's second run of three, during which all callers are active.
 */
export async function spreadCallers(
  send: () => Promise<void>,
  callers: number,
  runMs: number,
): Promise<number[]> {
  const counted: number[] = []
  const caller = async (index: number) => {
    await new Promise((resolve) => setTimeout(resolve, (index * runMs) / callers))
    for (let run = 0; run < RUNS_PER_COUNTED; run++) {
      const sentAt = performance.now()
      await send()
      if (run === 1) counted.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  return counted
}
