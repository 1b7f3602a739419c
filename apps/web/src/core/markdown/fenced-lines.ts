/** A line of a Markdown text. */
export interface MarkdownLine {
  content: string
  /** The index of its first character in the text. */
  start: number
  /** From 1. */
  number: number
  /** Inside fenced code, or one of the fences. */
  isCode: boolean
}

/** The lines of a Markdown text, with those of fenced code marked. Code that is never closed reaches to the end. */
export function* fencedLines(text: string): Generator<MarkdownLine> {
  let fence: string | null = null
  let start = 0
  let number = 0
  for (const content of text.split('\n')) {
    number += 1
    const [mark] = /^ {0,3}(```|~~~)/.exec(content)?.slice(1) ?? []
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence
    yield { content, start, number, isCode: fence !== null || mark !== undefined }
    start += content.length + 1
  }
}
