/** Scripts without spaces between words: each character counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/**
 * How many of the expected words a text has, from 0 to 1: a word that is expected three times must occur three times.
 */
export function wordRecall(expected: string, found: string): number {
  const there = countsOf(found)
  let words = 0
  let kept = 0
  for (const [word, times] of countsOf(expected)) {
    words += times
    kept += Math.min(times, there.get(word) ?? 0)
  }
  return words === 0 ? 1 : kept / words
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of inOneForm(text).matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Ligatures, half-width letters, soft hyphens and words that were hyphenated at the end of a line are normalized. */
function inOneForm(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\u00ad', '')
    .replace(/(?<=\p{L})[-\u2010]\s*\n\s*(?=\p{Ll})/gu, '')
}
