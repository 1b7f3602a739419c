import MarkdownIt from 'markdown-it'
import { bareLinks } from './bare-links.ts'
import { html, Markup } from './markup.ts'

const DEEPEST = 6
/** A longer text is shown as plain text: 20,000 brackets take the parser 40 ms. */
const MAX_MARKDOWN = 20_000

/**
 * No raw HTML, no images (they would reveal the visitor to a third party), only http, https and mailto links.
 */
const parser = new MarkdownIt({ html: false, linkify: false })
// Renders an image as its alternative text. Without the image rule, it would be parsed as `!` and a link.
parser.renderer.rules.image = (tokens, index, options, env, renderer) =>
  parser.utils.escapeHtml(renderer.renderInlineAsText(tokens[index]?.children ?? [], options, env))
parser.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url.trim())
bareLinks(parser)
parser.core.ruler.push('deeper_headings', ({ tokens, env }) => {
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(Number(token.tag.slice(1)) + env.below, DEEPEST)}`
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') child.attrSet('rel', 'noreferrer nofollow')
    }
  }
})

/**
 * A tenant's Markdown as safe markup; more than 20,000 characters are shown as plain text.
 *
 * @param below the level of the enclosing heading: headings in the text start one level deeper
 */
export function markdown(text: string, below: 1 | 2 = 1): Markup {
  if (text.length > MAX_MARKDOWN) return html`<pre class="written">${text}</pre>`
  return new Markup(parser.render(text, { below }))
}
