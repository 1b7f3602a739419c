import MarkdownIt from 'markdown-it'
import { bareLinks } from './bare-links.ts'
import { html, Markup } from './markup.ts'

const DEEPEST = 6
/** A longer text is shown as it is written: 20,000 brackets take the parser 40 ms. */
const MAX_MARKDOWN = 20_000

/** No HTML of its own, no images (they tell a third party who looks), no links but http, https and mailto. */
const parser = new MarkdownIt({ html: false, linkify: false })
// What stands for an image where it cannot be seen. Without its rule, an image would be a `!` before a link.
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
 * Markdown of a tenant as safe markup; a text of more than 20,000 characters as it is written.
 *
 * @param below the level of the heading that the text stands below: its own begin one deeper
 */
export function markdown(text: string, below: 1 | 2 = 1): Markup {
  if (text.length > MAX_MARKDOWN) return html`<pre class="written">${text}</pre>`
  return new Markup(parser.render(text, { below }))
}
