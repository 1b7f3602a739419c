import MarkdownIt from 'markdown-it'
import { Markup } from '../pages/markup.ts'

/** Headings begin below those of the page. */
const DEEPER = 2
const DEEPEST = 6

/** No HTML of its own, no images (they tell a third party who looks), no links but http, https and mailto. */
const markdown = new MarkdownIt({ html: false, linkify: true }).disable(['image'])
markdown.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url.trim())
markdown.core.ruler.push('deeper_headings', ({ tokens }) => {
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(Number(token.tag.slice(1)) + DEEPER, DEEPEST)}`
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') child.attrSet('rel', 'noreferrer nofollow')
    }
  }
})

/** Markdown of a tenant as safe markup. */
export function renderInstructions(text: string): Markup {
  return new Markup(markdown.render(text))
}
