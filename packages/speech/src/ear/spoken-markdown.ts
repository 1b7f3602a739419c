import MarkdownIt from 'markdown-it'
import { formulaText } from './formula-text.ts'

type Token = ReturnType<MarkdownIt['parse']>[number]
type InlineState = Parameters<Parameters<MarkdownIt['inline']['ruler']['push']>[1]>[0]

/** Numbers of sources: `[1]`, `[2, 3]`, `[^4]`, also as a link. */
const CITATION = /\[\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,20}\](?:\([^()\s]{0,2000}\))?/y
/** `【5†source】` of OpenAI's file search. Japanese texts use the same brackets around words. */
const FILE_CITATION = /[ \u00a0]?【[^】†\n]{0,80}†[^】\n]{0,80}】/g
/** The box of a task in a list. */
const TASK = /^\[[ xX]\]\s/
/** `$x$` as in Pandoc: no space inside of the signs and no digit behind them, so that prices are not formulas. */
const FORMULA =
  /\$\$([^$]{1,2000})\$\$|\\\[([^\n]{1,2000}?)\\\]|\\\(([^\n]{1,2000}?)\\\)|\$(?![\s\d])([^$\n]{1,500})(?<!\s)\$(?!\d)|\$(\d[^$\n]{0,500}[\\^=_][^$\n]{0,500})(?<!\s)\$(?!\d)/y
const PICTOGRAM =
  /(?![©®™])\p{Extended_Pictographic}(?:\ufe0f|\u200d|[\u{1f3fb}-\u{1f3ff}])*|[\u{1f1e6}-\u{1f1ff}]|\ufe0f/gu
/** Emphasis whose other end is in another piece. `5 * 3` keeps its sign. */
const LONE_EMPHASIS =
  /(?<![^\s("'])[*_~]{1,3}(?=[^\s*_~])|(?<=[^\s*_~])(?:[*~]{1,3}|_{1,3}(?![\p{L}\p{N}]))(?=[\s.,;:!?)"']|$)/gu
const BARE_ADDRESS =
  /\bhttps?:\/\/([\w.-]{1,255})(?::\d{1,5})?(?:[/?#](?:[^\s<>]{0,2000}[^\s<>.,;:!?)\]'"])?)?/g

const parser = new MarkdownIt({ html: true, linkify: false, breaks: true })
// Indented lines are text, and a line of dashes below a line does not make it a heading.
parser.disable(['code', 'lheading', 'table', 'fence'])
// Before the escape, because `\(` begins a formula here.
parser.inline.ruler.before('escape', 'formula', (state, isSilent) => {
  const found = matchAt(FORMULA, state)
  if (!found) return false
  const [whole, ...parts] = found
  if (!isSilent)
    state.push('text', '', 0).content = formulaText(parts.find((part) => part !== undefined) ?? '')
  state.pos += whole.length
  return true
})
parser.inline.ruler.before('link', 'citation', (state, isSilent) => {
  const found = matchAt(CITATION, state)
  if (!found) return false
  if (!isSilent) state.push('citation', '', 0)
  state.pos += found[0].length
  return true
})

function matchAt(pattern: RegExp, { src, pos }: InlineState): RegExpExecArray | null {
  pattern.lastIndex = pos
  return pattern.exec(src)
}

/** A piece of Markdown at the start of a line: marks of headings, lists and quotes are removed, numbers of lists are kept. */
export function spokenLine(markdown: string): string {
  let text = ''
  for (const token of parser.parse(markdown.replace(FILE_CITATION, ''), {})) {
    if (token.type === 'list_item_open' && token.info !== '') text += `${token.info}. `
    else if (token.type === 'inline') text += inlineText(token.children ?? []).replace(TASK, '')
    else if (token.type === 'html_block') text += markupText(token.content)
  }
  return polished(text)
}

/** A piece of Markdown within a line. */
export function spokenPart(markdown: string): string {
  const [token] = parser.parseInline(markdown.replace(FILE_CITATION, ''), {})
  return polished(inlineText(token?.children ?? []))
}

function inlineText(tokens: readonly Token[]): string {
  let text = ''
  let deleted = 0
  for (const token of tokens) {
    // The space before an omitted part is removed, too.
    if (token.type === 's_open' || token.type === 'citation') text = text.replace(/[ \u00a0]$/, '')
    if (token.type === 's_open') deleted += 1
    if (token.type === 's_close') deleted -= 1
    if (deleted > 0) continue
    if (token.type === 'text' || token.type === 'code_inline') text += token.content
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image') text += token.content
    else if (token.type === 'html_inline' && /^<(?:br|\/p|\/li|\/td|\/th)\b/i.test(token.content)) text += ' '
  }
  return text
}

/** The text of HTML: cells and lines end in a pause. */
export function markupText(markup: string): string {
  const text = markup
    .replace(/<(script|style|template|head)\b[^>]{0,1000}>[\s\S]{0,20000}?<\/\1\s{0,9}>/gi, ' ')
    .replace(/<!--[\s\S]{0,20000}?-->/g, ' ')
    .replace(/<\/(?:td|th)\s{0,9}>(?=\s{0,99}<(?:td|th)\b)/gi, ', ')
    .replace(/<\/?(?:tr|p|li|ul|ol|div|h[1-6]|table|br|dt|dd|summary|details)\b[^>]{0,1000}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, '')
  return parser.utils
    .unescapeAll(text)
    .split('\n')
    .map((line) => closedSentence(line.replace(/\s+/g, ' ').trim()))
    .filter((line) => line !== '')
    .join(' ')
}

function polished(text: string): string {
  return text
    .replace(BARE_ADDRESS, '$1')
    .replace(PICTOGRAM, '')
    .replace(LONE_EMPHASIS, '')
    .replace(/(?:^|\s)\|(?=\s|$)/g, ',')
    .replace(/[ \t\u00a0]{2,}/g, ' ')
}

/** Ends a heading, a list item or a cell as a sentence, so that speech pauses after it. */
export function closedSentence(text: string): string {
  if (!/[\p{L}\p{M}\p{N}\p{Sc}%)\]"'”’»]$/u.test(text) || /[.!?。！？…:;]["'”’»)]?$/u.test(text)) return text
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? `${text}。` : `${text}.`
}
