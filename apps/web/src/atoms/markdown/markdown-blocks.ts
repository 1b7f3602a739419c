import MarkdownIt, { type Token } from 'markdown-it'

// No HTML, no images: texts of models and callers never become markup or a request.
const parser = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable(['image'])

const LONGEST = 100_000
/** Markdown syntax, and characters shown by their codes. Time and elements grow with them, not with words. */
const MARKS = /[[*_`|~#>+<&\\\n\-\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const MOST_MARKS = 5_000

/** Whether a text is parsed synchronously; longer ones are shown unformatted. */
export function isShortMarkdown(text: string): boolean {
  if (text.length > LONGEST) return false
  let marks = 0
  for (const _ of text.matchAll(MARKS)) {
    marks += 1
    if (marks > MOST_MARKS) return false
  }
  return true
}

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

/** The host of a URL, shown beside a link whose text may claim another one. */
export function hostOf(href: string): string {
  const url = new URL(href)
  return url.protocol === 'mailto:' ? url.pathname : url.host
}
