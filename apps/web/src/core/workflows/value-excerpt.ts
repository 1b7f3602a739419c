/** Characters of a value that a line shows. */
const LINE = 80

/** A value as the beginning of a text, on one line. */
export function valueLine(value: unknown): string {
  return excerptOf(value, LINE).text.replaceAll(/\s+/g, ' ')
}

/** The beginning of a value as a text, and whether that is all of it. A text is shown as it is, anything else as JSON. */
export function excerptOf(value: unknown, characters: number): { text: string; isCut: boolean } {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const isCut = text.length > characters
  // The cut may halve an emoji.
  return { text: isCut ? `${text.slice(0, characters).toWellFormed()}…` : text, isCut }
}
