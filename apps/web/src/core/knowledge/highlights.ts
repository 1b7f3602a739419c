/** A piece of a text; `isHit` where it has a word of the query. */
export interface TextPiece {
  text: string
  isHit: boolean
}

/** Shorter words are in every text. */
const SHORTEST = 3
/** Stop words of questions and sentences, in the most common languages of documents. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'and are can did does for from had has have how into its may not off our out than that the their them then there these',
    'they this was were what when where which who whom why will with you your',
    'auf aus bei das dem den der des die ein eine einem einen einer eines für hat ich ist kann mit nach nicht oder sich sie sind',
    'und von war was wer wie wird wir wo zu zum zur über',
    'avec ces cette dans des est les leur mais nous ont par pas plus pour que quel quelle qui sont sur une vous',
    'como con cuando del donde esta este las los más nos para pero por qué que ser son una',
  ]
    .join(' ')
    .split(' '),
)
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
    if (isTelling(part.toLowerCase()) && wanted.has(stemOf(part.toLowerCase()))) {
      if (plain !== '') pieces.push({ text: plain, isHit: false })
      pieces.push({ text: part, isHit: true })
      plain = ''
    } else plain += part
  }
  if (plain !== '') pieces.push({ text: plain, isHit: false })
  return pieces
}

function wordsOf(query: string): string[] {
  return (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(isTelling)
}

const isTelling = (word: string) => word.length >= SHORTEST && !STOP_WORDS.has(word)

function stemOf(word: string): string {
  return word.length > STEM ? word.slice(0, STEM) : word.replace(/s$/, '')
}
