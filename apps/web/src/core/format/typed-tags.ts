import { unescapedText } from './escapes.ts'

/** The result of typing in a tag field. */
export interface TakenTags {
  added: readonly string[]
  /** The remaining text. */
  rest: string
}

/**
 * Texts between commas and line ends; a verbatim field takes all of it as one text.
 *
 * @param isLeft whether the field was left: spaces alone are no text in that case
 */
export function takenTags(text: string, isVerbatim: boolean, isLeft: boolean): TakenTags {
  if (!isVerbatim) return { added: separatedTexts(text), rest: '' }
  if (text === '' || (isLeft && text.trim() === '')) return { added: [], rest: text }
  return { added: [unescapedText(text)], rest: '' }
}

/** A text after pasting over the selection. */
export function withPasted(
  text: string,
  selected: { start: number; end: number },
  pasted: string,
): { text: string; caret: number } {
  const before = text.slice(0, selected.start) + pasted
  return { text: before + text.slice(selected.end), caret: before.length }
}

/** Whether a text is too long to be pasted completely over the selection: browsers truncate it silently. */
export function isPasteCut(
  text: string,
  selected: { start: number; end: number },
  pasted: string,
  longest: number | undefined,
): boolean {
  return longest !== undefined && text.length - (selected.end - selected.start) + pasted.length > longest
}

function separatedTexts(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
