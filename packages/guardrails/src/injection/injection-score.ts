import { MARKERS, PHRASES, type Phrase } from './signals.ts'

const WORD = /[\p{L}\p{N}]+/gu
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu
/** So many invisible characters hide something; emoji and right-to-left names need fewer. */
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

function phraseWeights(text: readonly string[]): number[] {
  const found = new Set<Phrase>()
  for (let at = 0; at < text.length; at += 1) {
    for (const phrase of PHRASES) {
      if (!found.has(phrase) && begins(phrase, text, at)) found.add(phrase)
    }
  }
  return [...found].map(({ weight }) => weight)
}

/**
 * How much a text looks like an attempt to give a model other instructions, from 0 to 1: the chance that one of the
 * signals is right if each were independent of the others. Takes time linear in the text.
 */
export function injectionScore(text: string): number {
  const invisible = text.match(INVISIBLE)?.length ?? 0
  const plain = (invisible === 0 ? text : text.replaceAll(INVISIBLE, '')).normalize('NFKC').toLowerCase()
  const weights = [
    ...phraseWeights(plain.match(WORD) ?? []),
    ...MARKERS.filter((marker) => plain.includes(marker.text)).map(({ weight }) => weight),
    ...(invisible >= MANY_INVISIBLE ? [HIDDEN_WEIGHT] : []),
  ]
  return 1 - weights.reduce((left, weight) => left * (1 - weight), 1)
}
