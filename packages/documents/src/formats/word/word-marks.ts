/** Special characters in all versions of Word ([MS-DOC] 2.4.1, 2.8.25). */
export const CELL_OR_ROW_END = '\x07'
const FIELD_BEGIN = '\x13'
const FIELD_RESULT = '\x14'
const FIELD_END = '\x15'

/**
 * A cell ends with a tab; a paragraph, line, page or column with a newline. A non-breaking hyphen becomes a
 * hyphen.
 */
const MARKS: Readonly<Record<string, string>> = {
  '\t': '\t',
  '\n': '\n',
  '\r': '\n',
  [CELL_OR_ROW_END]: '\t',
  '\x0b': '\n',
  '\x0c': '\n',
  '\x0e': '\n',
  '\x1e': '-',
}

/** The text without Word's marks; fields show their result. */
export function withoutMarks(text: string): string {
  return resultsOfFields(text).replace(/[^\P{Cc}\x7f-\x9f]/gu, (mark) => MARKS[mark] ?? '')
}

/** A field is its instruction between 0x13 and 0x14, and its result up to 0x15; fields are nested. */
function resultsOfFields(text: string): string {
  const open: boolean[] = []
  let instructions = 0
  let shown = ''
  for (const letter of text) {
    if (letter === FIELD_BEGIN) {
      open.push(true)
      instructions += 1
    } else if (letter === FIELD_RESULT && open.at(-1) === true) {
      open[open.length - 1] = false
      instructions -= 1
    } else if (letter === FIELD_END) {
      if (open.pop() === true) instructions -= 1
    } else if (instructions === 0) shown += letter
  }
  // A field without its end would hide the rest.
  return instructions === 0 ? shown : text
}
