/** `[3]` and `[3, 4]`: the citation format requested from models. */
const CITED = /\[(\d{1,3}(?:, ?\d{1,3}){0,9})\]/g

/** A piece of a text: the text itself, or the numbers of the passages that it cites there, each once. */
export type CitedPart = string | readonly number[]

/**
 * Splits a text at its citations.
 *
 * @param known numbers of the passages; brackets with another number stay text
 */
export function citedParts(text: string, known: ReadonlySet<number>): readonly CitedPart[] {
  if (known.size === 0) return [text]
  const parts: CitedPart[] = []
  let end = 0
  for (const found of text.matchAll(CITED)) {
    const numbers = [...new Set((found[1] ?? '').split(',').map(Number))]
    if (!numbers.every((n) => known.has(n))) continue
    if (found.index > end) parts.push(text.slice(end, found.index))
    parts.push(numbers)
    end = found.index + found[0].length
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end))
  return parts
}
