import { REDACTION } from './finding.ts'

/** A part of a text, in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

/** The text with every span replaced; spans may touch and overlap. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let result = ''
  let kept = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start >= kept) result += text.slice(kept, start) + REDACTION
    kept = Math.max(kept, end)
  }
  return result + text.slice(kept)
}
