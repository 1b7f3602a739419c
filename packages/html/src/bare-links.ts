import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'

/** A bare URL in text; each character is scanned once, so matching is linear. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]{1,2000}/gi
/** Trailing punctuation that ends the sentence and is not part of the URL. */
const CLOSING = new Set([...'.,;:!?)]}*_~'])
/** The most links in one text node; further URLs remain text. */
const MAX_LINKS = 200

/** Splits a text into URLs and the text between them. */
function piecesOf(text: string): { text: string; isLink: boolean }[] {
  const pieces: { text: string; isLink: boolean }[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    let end = found.length
    while (CLOSING.has(found.charAt(end - 1))) end -= 1
    if (pieces.length >= 2 * MAX_LINKS || !URL.canParse(found.slice(0, end))) continue
    pieces.push({ text: text.slice(done, index), isLink: false })
    pieces.push({ text: found.slice(0, end), isLink: true })
    done = index + end
  }
  return [...pieces, { text: text.slice(done), isLink: false }]
}

/**
 * Turns bare URLs into links. The linkifier of markdown-it takes quadratic time: 54 s for 200 KB of
 * `http://a.b/(`.
 */
export function bareLinks(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'bare_links', ({ tokens, Token: Made }) => {
    const linked = (token: Token): Token[] =>
      piecesOf(token.content).flatMap(({ text, isLink }) => {
        const piece = new Made('text', '', 0)
        piece.content = text
        piece.level = token.level
        if (!isLink) return text === '' ? [] : [piece]
        const href = parser.normalizeLink(text)
        if (!parser.validateLink(href)) return [piece]
        const open = new Made('link_open', 'a', 1)
        open.attrs = [['href', href]]
        return [open, piece, new Made('link_close', 'a', -1)]
      })
    for (const block of tokens) {
      let links = 0
      block.children &&= block.children.flatMap((token) => {
        if (token.type === 'link_open') links += 1
        if (token.type === 'link_close') links -= 1
        return token.type === 'text' && links === 0 && token.content.includes('://') ? linked(token) : [token]
      })
    }
  })
}
