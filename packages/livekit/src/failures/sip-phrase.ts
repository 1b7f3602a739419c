/** Maximum characters of a carrier's phrase that are stored and displayed. */
const MAX_LENGTH = 120
/** Maximum characters of a phrase that are read. */
const MAX_READ = 1_000

/** Words with one of these may be a host name, an address, a SIP URI or a credential. */
const TELLING = ['@', '=', '://', 'sip:', 'sips:', '.', ':']

/** A carrier's phrase without control characters, and without words that may name hosts or contain credentials. */
export function sipPhrase(phrase: string): string {
  const words: string[] = []
  for (const word of phrase.slice(0, MAX_READ).replace(/\p{C}/gu, ' ').split(' ')) {
    if (word !== '' && !isTelling(word)) words.push(word)
  }
  return words.join(' ').slice(0, MAX_LENGTH).trimEnd()
}

function isTelling(word: string): boolean {
  // A sentence may end with a full stop or a colon.
  const inner = word.endsWith('.') || word.endsWith(':') ? word.slice(0, -1) : word
  return TELLING.some((part) => inner.includes(part))
}
