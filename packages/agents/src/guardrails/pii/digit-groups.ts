import { isDigit, isWord } from './characters.ts'

/** A run of digits, with the separator before it (at most two characters). */
export interface DigitGroup {
  start: number
  end: number
  digits: string
  /** Empty for the first group of a number. */
  separator: string
}

const SEPARATORS: ReadonlySet<string> = new Set([
  ' ',
  '-',
  '.',
  '/',
  '\u00a0',
  ') ',
  ')',
  ' (',
  ' - ',
  ')-',
  '-(',
])
const LONGEST_SEPARATOR = 3
/** Maximum groups of a number. */
export const MOST_GROUPS = 8

/**
 * The runs of digits in a text as chains: the groups of a chain are joined by separators. Runs within words do not
 * start a chain.
 */
export function digitChains(text: string): DigitGroup[][] {
  const chains: DigitGroup[][] = []
  let before: DigitGroup | null = null
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue
    const start = at
    while (isDigit(text.charCodeAt(at))) at += 1
    const isInWord = isWord(text.charCodeAt(start - 1)) || isWord(text.charCodeAt(at))
    if (isInWord) {
      before = null
      continue
    }
    const between: string =
      before && start - before.end <= LONGEST_SEPARATOR ? text.slice(before.end, start) : ''
    const isJoined = SEPARATORS.has(between)
    const group: DigitGroup = {
      start,
      end: at,
      digits: text.slice(start, at),
      separator: isJoined ? between : '',
    }
    if (isJoined) chains.at(-1)?.push(group)
    else chains.push([group])
    before = group
  }
  return chains
}
