import MarkdownIt from 'markdown-it'
import { Markup } from './markup.ts'

/**
 * Markdown that tenants write, for pages of ours. HTML in it is text; links are checked by the library (no `javascript:`);
 * images would tell a third party who reads the page.
 */
const parser = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image')

/** The page has one heading of the first level, and it is ours. */
parser.core.ruler.push('lower_headings', ({ tokens }) => {
  for (const token of tokens) {
    if (!token.type.startsWith('heading_')) continue
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`
  }
})
parser.core.ruler.push('safe_links', ({ tokens }) => {
  for (const link of tokens.flatMap(({ children }) => children ?? [])) {
    if (link.type === 'link_open') link.attrSet('rel', 'noopener noreferrer nofollow')
  }
})

/** Renders Markdown as blocks of a page. */
export function markdown(text: string): Markup {
  return new Markup(parser.render(text))
}
