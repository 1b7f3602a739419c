import MarkdownIt, { type Token } from 'markdown-it'

// No HTML, no images: what a model or a caller writes never becomes markup or a request.
const parser = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable(['image'])

/** Beyond it, a text is shown as it is: parsing takes longer than a frame. */
export const LONGEST_MARKDOWN = 100_000

/** The tokens of a text, block by block: each inner list is one top-level block. */
export function markdownBlocks(text: string): Token[][] {
  const blocks: Token[][] = []
  let open: Token[] = []
  for (const token of parser.parse(text, {})) {
    open.push(token)
    const isEnd = token.level === 0 && token.nesting !== 1
    if (!isEnd) continue
    blocks.push(open)
    open = []
  }
  return blocks
}

/** The address of a link if it may be followed: http, https and mailto; null for all others. */
export function safeHref(href: string): string | null {
  if (!URL.canParse(href)) return null
  const { protocol } = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null
}

/** The host of an address, shown beside a link whose text may claim another one. */
export function hostOf(href: string): string {
  const url = new URL(href)
  return url.protocol === 'mailto:' ? url.pathname : url.host
}
