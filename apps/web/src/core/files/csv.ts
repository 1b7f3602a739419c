/** One cell: a number stays a number, null is empty. */
export type CsvCell = string | number | null

/**
 * Rows as CSV by RFC 4180, with a byte order mark, so that Excel reads UTF-8. A text that a spreadsheet would execute as a
 * formula gets an apostrophe before it: names and errors come from callers and models.
 */
export function csvText(heads: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [heads, ...rows].map((cells) => cells.map(cellText).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // A cell is also a formula after white space, which some programs trim.
  const safe = /^\s*[=+\-@\t\r|]/.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
