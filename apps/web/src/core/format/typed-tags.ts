import { unescapedText } from './escapes.ts'

/** What a field of tags makes of what is typed in it. */
export interface TakenTags {
  added: readonly string[]
  /** What stays typed. */
  rest: string
}

/**
 * Texts between commas and line ends; a verbatim field takes all of it as one text.
 *
 * @param isLeft whether the field was left: spaces alone are then no text yet
 */
export function takenTags(text: string, isVerbatim: boolean, isLeft: boolean): TakenTags {
  if (!isVerbatim) return { added: separatedTexts(text), rest: '' }
  if (text === '' || (isLeft && text.trim() === '')) return { added: [], rest: text }
  return { added: [unescapedText(text)], rest: '' }
}

/** A text in which something was pasted over what was selected. */
export function withPasted(
  text: string,
  selected: { start: number; end: number },
  pasted: string,
): { text: string; caret: number } {
  const before = text.slice(0, selected.start) + pasted
  return { text: before + text.slice(selected.end), caret: before.length }
}

/** Whether a text is too long to be pasted whole over what is selected: browsers cut it without a word. */
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
