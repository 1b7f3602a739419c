/** A round number at or above the largest value, and the ticks from 0 to it: integers for counts. */
export function niceTicks(largest: number, { count = 4, isWhole = false } = {}): number[] {
  if (!(largest > 0)) return [0, 1]
  const rough = largest / count
  const power = Math.max(isWhole ? 1 : 0, 10 ** Math.floor(Math.log10(rough)))
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power)
  const step = steps.find((one) => one >= rough && (!isWhole || Number.isInteger(one))) ?? 10 * power
  const ticks: number[] = []
  for (let index = 0; index === 0 || (ticks.at(-1) ?? 0) < largest; index += 1) {
    // Multiplied, not added up: sums of fractions drift.
    ticks.push(Number((index * step).toPrecision(12)))
  }
  return ticks
}

/** The labels to draw without overlap: every nth, and always the first. */
export function labelStep(count: number, widthPx: number, labelPx: number): number {
  return Math.max(1, Math.ceil((count * labelPx) / Math.max(1, widthPx)))
}
