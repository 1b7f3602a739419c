/** A piece of a text; `isHit` where it has a word of the query. */
export interface TextPiece {
  text: string
  isHit: boolean
}

/** Shorter words are in every text. */
const SHORTEST = 3
/** Stems differ in their last letters: "refunds" and "refund". */
const STEM = 5

/**
 * The parts of a text around the words of a query. Words are compared by prefix, ignoring case: this shows why a passage was found,
 * and decides nothing.
 */
export function highlights(text: string, query: string): TextPiece[] {
  const wanted = new Set(wordsOf(query).map(stemOf))
  if (wanted.size === 0) return text === '' ? [] : [{ text, isHit: false }]
  const pieces: TextPiece[] = []
  let plain = ''
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    if (part.length >= SHORTEST && wanted.has(stemOf(part.toLowerCase()))) {
      if (plain !== '') pieces.push({ text: plain, isHit: false })
      pieces.push({ text: part, isHit: true })
      plain = ''
    } else plain += part
  }
  if (plain !== '') pieces.push({ text: plain, isHit: false })
  return pieces
}

function wordsOf(query: string): string[] {
  return (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= SHORTEST)
}

function stemOf(word: string): string {
  return word.length > STEM ? word.slice(0, STEM) : word.replace(/s$/, '')
}
