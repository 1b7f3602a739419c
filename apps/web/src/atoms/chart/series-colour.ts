const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)']

/** The meaning of a series, if it has a separate colour. */
export type SeriesTone = 'good' | 'bad' | 'info' | 'neutral'

const TONES: Readonly<Record<SeriesTone, string>> = {
  good: 'var(--chart-3)',
  bad: 'var(--danger)',
  info: 'var(--info)',
  neutral: 'var(--control)',
}

/** The colour of the nth series; beyond the fifth they repeat. */
export function seriesColour(index: number, tone?: SeriesTone): string {
  return tone ? TONES[tone] : (COLOURS[index % COLOURS.length] ?? 'var(--chart-1)')
}
