import { type CellObject, read, utils } from '@e965/xlsx'
import { guardZip } from './guard-zip.ts'

/**
 * Every sheet as its name and its rows in CSV, with values as displayed. Only stored rows and cells are
 * visited, so a sheet that claims a million rows costs nothing; empty rows are left out.
 */
export async function parseSpreadsheet(
  format: 'xlsx' | 'xls',
  bytes: Buffer,
  maxCharacters: number,
): Promise<string> {
  if (format === 'xlsx') await guardZip(bytes)
  const book = read(bytes, {
    type: 'buffer',
    // Rows as sparse arrays.
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellStyles: false,
    bookVBA: false,
  })
  const sheets: string[] = []
  let length = 0
  for (const name of book.SheetNames) {
    const rows: (CellObject[] | undefined)[] = book.Sheets[name]?.['!data'] ?? []
    const lines = [`# ${name}`]
    // `forEach` skips the holes of a sparse array; `for` would visit them.
    rows.forEach((row) => {
      if (row === undefined || length >= maxCharacters) return
      const line = csvLine(row)
      if (line === '') return
      lines.push(line)
      length += line.length
    })
    if (lines.length > 1) sheets.push(lines.join('\n'))
  }
  return sheets.join('\n\n')
}

function csvLine(row: readonly (CellObject | undefined)[]): string {
  let line = ''
  let column = 0
  row.forEach((cell, index) => {
    const value = cell === undefined ? '' : utils.format_cell(cell)
    if (value === '') return
    line += `${','.repeat(index - column)}${/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value}`
    column = index
  })
  return line
}
