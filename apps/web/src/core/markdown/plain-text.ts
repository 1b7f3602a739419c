import { fencedLines } from './fenced-lines.ts'

const FENCE = /^ {0,3}(?:```|~~~)/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
/** Of headings, quotes and bullets; a number of a list is kept. */
const SIGNS = /^(?:[ \t]*(?:>|[-*+][ \t]|#{1,6}[ \t]))+[ \t]*/
/** With its ticks and its text as groups. */
const CODE = /(?<!`)(`{1,3})(?!`)(.{1,500}?)(?<!`)\1(?!`)/
const LINK = /!?\[([^[\]]{1,300})\]\([^()\s]{1,1000}\)/g
/** `snake_case` is not in italics. */
const EMPHASIS = /(\*{1,3}|(?<![\p{L}\p{N}_])_{1,3})(?=\S)([^*_]*[^*_\s])\1/gu
/** Emphasis inside emphasis. */
const DEPTH = 2

/**
 * A Markdown text without its marks, for a summary in one line or a place without formatting: lines stay lines, links become their
 * texts, and code loses its fences. In time proportional to the text; ambiguous marks stay.
 */
export function plainText(markdown: string): string {
  const lines: string[] = []
  for (const { content, isCode } of fencedLines(markdown)) {
    if (isCode && !FENCE.test(content)) lines.push(content)
    if (!isCode && !RULE.test(content)) lines.push(withoutMarks(content.replace(SIGNS, '')))
  }
  return lines.join('\n')
}

function withoutMarks(line: string): string {
  const parts = line.replaceAll(LINK, '$1').split(CODE)
  // A text, the ticks after it, the code between them, and so on.
  return parts.map((part, at) => (at % 3 === 0 ? withoutEmphasis(part) : at % 3 === 1 ? '' : part)).join('')
}

function withoutEmphasis(text: string): string {
  let plain = text
  for (let depth = 0; depth < DEPTH; depth += 1) plain = plain.replaceAll(EMPHASIS, '$2')
  return plain
}
