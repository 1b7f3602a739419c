/** What is stored and shown of a carrier's phrase, in characters. */
const MAX_LENGTH = 120
/** More of a phrase than this is not looked at. */
const MAX_READ = 1_000

/** Words with one of these may be a host name, an address, a SIP URI or a credential. */
const TELLING = ['@', '=', '://', 'sip:', 'sips:', '.', ':']

/** A carrier's phrase without control characters, and without words that may name hosts or hold credentials. */
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
