/** Scripts without spaces between words, and Korean, whose words end in particles: one letter and two are terms. */
const PAIRS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu
/** Alphabets without spaces between words: two letters and three are terms. */
const TRIPLES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** NFKC would append them as letters to the preceding word: `Troupe™` as `TroupeTM`. */
const SIGNS = /[\u2120\u2122\u00a9\u00ae\u{1f16a}-\u{1f16c}]/gu
/** Raised digits are footnotes and powers: `results¹` is not `results1`. */
const RAISED = /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+/gu
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * The search terms of a text: words in lower case, and sequences of letters in scripts without spaces between words. Passages of knowledge
 * bases get the same terms from the SQL function `knowledge_terms`, which also stems words.
 */
export function searchTerms(text: string): Set<string> {
  return termsOf(text, (run, add, lengths) => {
    for (const length of lengths) addSequences(run, length, add)
  })
}

/** The search terms of a question: of sequences only the longest, so that a single common letter finds nothing. */
export function askedTerms(question: string): Set<string> {
  return termsOf(question, (run, add, lengths) => {
    const length = lengths.findLast((one) => one <= run.length)
    if (length !== undefined) addSequences(run, length, add)
  })
}

function termsOf(
  text: string,
  addRun: (run: readonly string[], add: (term: string) => void, lengths: readonly number[]) => void,
): Set<string> {
  const terms = new Set<string>()
  const take = (lengths: readonly number[]) => (run: string) => {
    addRun([...run], (term) => terms.add(term), lengths)
    return ' '
  }
  const plain = text.replace(SIGNS, ' ').replace(RAISED, ' $&').normalize('NFKC').toLowerCase()
  const spaced = plain.replace(PAIRS, take([1, 2])).replace(TRIPLES, take([2, 3]))
  for (const [word] of spaced.matchAll(WORDS)) terms.add(word)
  return terms
}

function addSequences(run: readonly string[], length: number, add: (term: string) => void): void {
  for (let at = 0; at + length <= run.length; at += 1) add(run.slice(at, at + length).join(''))
}
