import { MARKERS, PHRASES, type Phrase } from './signals.ts'

const WORD = /[\p{L}\p{N}]+/gu
/** Arabic ligatures of up to 18 letters each: no phrase has them, and expanding them costs most of a scan. */
const LONG_LIGATURE = /[\ufdf0-\ufdfb]/g
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu
/** The number of invisible characters above which hidden text is likely; emoji and right-to-left names need fewer. */
const MANY_INVISIBLE = 12
const HIDDEN_WEIGHT = 0.4

/** Whether a phrase begins with this word. */
function begins({ words, gap }: Phrase, text: readonly string[], at: number): boolean {
  let next = at
  for (const [index, choices] of words.entries()) {
    const last = index === 0 ? at : next + gap
    while (next <= last && !choices.has(text[next] ?? '')) next += 1
    if (next > last) return false
    next += 1
  }
  return true
}

/** Phrases by their first words. */
const BY_FIRST_WORD = new Map<string, Phrase[]>()
for (const phrase of PHRASES) {
  for (const word of phrase.words[0] ?? []) {
    BY_FIRST_WORD.set(word, [...(BY_FIRST_WORD.get(word) ?? []), phrase])
  }
}

function phraseWeights(text: readonly string[]): number[] {
  const found = new Set<Phrase>()
  for (const [at, word] of text.entries()) {
    for (const phrase of BY_FIRST_WORD.get(word) ?? []) {
      if (!found.has(phrase) && begins(phrase, text, at)) found.add(phrase)
    }
  }
  return [...found].map(({ weight }) => weight)
}

/**
 * The similarity of a text to a prompt injection, from 0 to 1: the chance that one of the signals is right if each were independent of the
 * others. Takes time linear in the text.
 */
export function injectionScore(text: string): number {
  const invisible = text.match(INVISIBLE)?.length ?? 0
  const visible = invisible === 0 ? text : text.replaceAll(INVISIBLE, '')
  const plain = visible.replaceAll(LONG_LIGATURE, ' ').normalize('NFKC').toLowerCase()
  const weights = [
    ...phraseWeights(plain.match(WORD) ?? []),
    ...MARKERS.filter((marker) => plain.includes(marker.text)).map(({ weight }) => weight),
    ...(invisible >= MANY_INVISIBLE ? [HIDDEN_WEIGHT] : []),
  ]
  return 1 - weights.reduce((left, weight) => left * (1 - weight), 1)
}
