const WORD = /[\p{L}\p{N}]+/gu

/** Function words carry no topic: if they counted, "the" would route every message. */
const STOP_WORDS = new Set(
  'a an and are as at be but by can do for from has have how i if in is it me my not of on or our so that the this to was we what who will with you your'.split(
    ' ',
  ),
)

/** The lower-case words of a text in order, without punctuation. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** Number of white-space separated words: the sandbox's unit of tokens. */
export function countWords(text: string): number {
  let count = 0
  for (const _ of text.matchAll(/\S+/g)) count += 1
  return count
}

/** The distinct words of a text without function words. */
export function topicsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).filter((word) => !STOP_WORDS.has(word)))
}

/** The words of a text without function words, in order, without the endings of plurals and verbs. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => (STOP_WORDS.has(word) ? [] : stemOf(word)))
}

function stemOf(word: string): string {
  const ending = ['ing', 'ed', 'es', 's'].find((one) => word.length > one.length + 2 && word.endsWith(one))
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** Number of distinct words of a text that are among the topics of another. */
export function wordOverlap(topics: ReadonlySet<string>, text: string): number {
  let shared = 0
  for (const word of new Set(wordsOf(text))) if (topics.has(word)) shared++
  return shared
}

/** The first `limit` code points, so that no surrogate pair is split; reads no further than that. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text
  let end = 0
  for (let count = 0; count < limit && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
