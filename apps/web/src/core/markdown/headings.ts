import { fencedLines } from './fenced-lines.ts'

/** A heading of a Markdown text. */
export interface MarkdownHeading {
  /** 1 to 6. */
  level: number
  text: string
  /** From 1. */
  line: number
}

/** The headings of a Markdown text in their order, without those inside fenced code. */
export function headingsOf(text: string): MarkdownHeading[] {
  const headings: MarkdownHeading[] = []
  for (const { content, number, isCode } of fencedLines(text)) {
    if (isCode) continue
    const [, hashes, title] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(content) ?? []
    if (!hashes || !title) continue
    headings.push({ level: hashes.length, text: withoutClosingMarks(title), line: number })
  }
  return headings
}

/** A title without the `#` characters that may close it after a space. */
function withoutClosingMarks(title: string): string {
  const trimmed = title.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end -= 1
  const isClosed = end < trimmed.length && (trimmed[end - 1] === ' ' || trimmed[end - 1] === '\t')
  return isClosed ? trimmed.slice(0, end).trimEnd() : trimmed
}
