const WORD = /[\p{L}\p{N}]+/gu

/** Function words carry no topic; counted, "the" would route every message. */
const STOP_WORDS = new Set(
  'a an and are as at be but by can do for from has have how i if in is it me my not of on or our so that the this to was we what who will with you your'.split(
    ' ',
  ),
)

/** Lower-case words of a text, in order, punctuation left out. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** Number of white-space separated words: the sandbox's unit of tokens. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** How many different words, function words aside, both texts have. */
export function wordOverlap(a: string, b: string): number {
  const words = new Set(wordsOf(a).filter((word) => !STOP_WORDS.has(word)))
  let shared = 0
  for (const word of new Set(wordsOf(b))) if (words.has(word)) shared++
  return shared
}

/** The first `limit` characters (code points, so that no character is cut in half). */
export function firstCharacters(text: string, limit: number): string {
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('')
}
