const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)']

/** The colour of the nth series; beyond the fifth they repeat. */
export function seriesColour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? 'var(--chart-1)'
}
