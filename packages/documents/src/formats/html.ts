import { htmlText } from '@troupe/knowledge'
import { decodeMarkup } from './decode-text.ts'
import type { ParsedText } from './unreadable.ts'

/** The readable text of a web page, in the encoding that it declares. */
export function parseHtml(bytes: Buffer, maxCharacters: number): ParsedText {
  const pieces: string[] = []
  let length = 0
  for (const piece of htmlText(decodeMarkup(bytes))) {
    if (length > maxCharacters) break
    pieces.push(piece)
    length += piece.length
  }
  return { text: pieces.join('').trim(), isCut: length > maxCharacters }
}
