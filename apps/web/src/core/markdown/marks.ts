import { fencedLines } from './fenced-lines.ts'

export type MarkKind = 'heading' | 'code' | 'strong' | 'emphasis' | 'link' | 'sign'

/** A part of a Markdown text that looks different. Marks of one text can lie inside each other. */
export interface MarkdownMark {
  kind: MarkKind
  from: number
  /** The index after its last character. */
  to: number
}

/**
 * The highlighted parts of a Markdown text, by their start: headings, code, bold, italics, links, and the markers of quotes and
 * lists. It parses line by line, in time proportional to the text, and leaves ambiguous cases to a full parser.
 */
export function markdownMarks(text: string): MarkdownMark[] {
  const marks: MarkdownMark[] = []
  for (const { content, start, isCode } of fencedLines(text)) {
    const found = isCode ? wholeLine('code', content) : marksOfLine(content)
    for (const { kind, from, to } of found) marks.push({ kind, from: start + from, to: start + to })
  }
  return marks
}

function wholeLine(kind: MarkKind, content: string): MarkdownMark[] {
  return content === '' ? [] : [{ kind, from: 0, to: content.length }]
}

function marksOfLine(content: string): MarkdownMark[] {
  if (/^ {0,3}#{1,6}[ \t]+\S/.test(content)) return wholeLine('heading', content)
  const [sign] = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/.exec(content) ?? []
  const marks: MarkdownMark[] = sign ? [{ kind: 'sign', from: 0, to: sign.length }] : []
  const spans = pairs(content, /`+/g, sign?.length ?? 0, () => true)
  const inCode = positionsOf(spans)
  marks.push(...spans.map(({ from, to }) => ({ kind: 'code' as const, from, to })))
  // `**` before `*`: of three signs, the outer two are bold.
  const emphasis = pairs(content, /\*{1,2}|_{1,2}/g, sign?.length ?? 0, (at) => !inCode(at))
  for (const { from, to, length } of emphasis) {
    marks.push({ kind: length === 2 ? 'strong' : 'emphasis', from, to })
  }
  for (const { index, 0: link } of content.matchAll(/\[[^[\]]{1,300}\]\([^()\s]{1,1000}\)/g)) {
    if (!inCode(index)) marks.push({ kind: 'link', from: index, to: index + link.length })
  }
  return marks.sort((a, b) => a.from - b.from || b.to - a.to)
}

interface Pair {
  from: number
  to: number
  /** The length of the marker. */
  length: number
}

/**
 * Texts between two equal signs. Each sign closes the last open one like it, if text is on its inner side; signs that are opened
 * inside and not closed there are only text.
 */
function pairs(content: string, signs: RegExp, after: number, counts: (at: number) => boolean): Pair[] {
  const found: Pair[] = []
  const open = new Map<string, number>()
  for (const { index, 0: sign } of content.matchAll(signs)) {
    if (index < after || !counts(index)) continue
    const isCode = sign.startsWith('`')
    const end = index + sign.length
    const began = open.get(sign)
    if (began !== undefined && (isCode || (canClose(content, index, sign) && index > began + sign.length))) {
      found.push({ from: began, to: end, length: sign.length })
      open.clear()
    } else if (isCode ? began === undefined : canOpen(content, index, end, sign)) {
      open.set(sign, index)
    }
  }
  return found
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const isText = (character: string | undefined) => character !== undefined && !/\s/.test(character)

/** `snake_case` is not in italics. */
function canOpen(content: string, index: number, end: number, sign: string): boolean {
  return isText(content[end]) && !(sign.startsWith('_') && isWord(content[index - 1]))
}

function canClose(content: string, index: number, sign: string): boolean {
  return isText(content[index - 1]) && !(sign.startsWith('_') && isWord(content[index + sign.length]))
}

/** Whether a position is inside one of the sorted, disjoint pairs; may be called in any order. */
function positionsOf(spans: readonly Pair[]): (at: number) => boolean {
  return (at) => {
    let [low, high] = [0, spans.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const span = spans[middle]
      if (!span) return false
      if (at < span.from) high = middle - 1
      else if (at >= span.to) low = middle + 1
      else return true
    }
    return false
  }
}
