/** A caller's first and last run are not counted: only between them all callers are under way. */
export const RUNS_PER_COUNTED = 3

/**
 * `callers` repeat `send`, their starts spread evenly over `runMs`, the length of one run: as independent callers do,
 * not all in the same millisecond.
 *
 * @returns milliseconds of every caller's second run of three, during which all callers are at work.
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
