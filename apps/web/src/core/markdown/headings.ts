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
  let fence: string | null = null
  text.split('\n').forEach((content, index) => {
    const [mark] = /^ {0,3}(```|~~~)/.exec(content)?.slice(1) ?? []
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence
    if (fence !== null || mark !== undefined) return
    const [, hashes, title] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(content) ?? []
    if (!hashes || !title) return
    headings.push({ level: hashes.length, text: withoutClosingMarks(title), line: index + 1 })
  })
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
