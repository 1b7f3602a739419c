import { counted } from '../../format/numbers.ts'

/** Texts of the differences of two texts. */
export const textDiffWords = {
  tooLong: 'The rest is too long to compare here',
  unchanged: (lines: number) => `${counted(lines, 'line', 'lines')} unchanged`,
} as const
