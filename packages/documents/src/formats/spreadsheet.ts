import { type CellObject, read, set_cptable, type WorkBook } from '@e965/xlsx'
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs'
import { guardZip, withoutTail } from './guard-zip.ts'
import { cellText } from './sheet/cell-text.ts'
import { type ParsedText, RefusedDocument } from './unreadable.ts'

const STUBS_BYTES = 2 * 1024 * 1024

/**
 * Every sheet as its name and its rows in CSV: dates in ISO 8601, other values as displayed, formulas without a stored value as they
 * are written, comments and addresses of links behind their value. Only stored rows and cells are visited, so a sheet that claims a
 * million rows costs nothing; empty rows are omitted.
 *
 * @throws RefusedDocument for a workbook with a password
 */
export async function parseSpreadsheet(
  format: 'xlsx' | 'xls',
  file: Buffer,
  maxCharacters: number,
): Promise<ParsedText> {
  const bytes = format === 'xlsx' ? withoutTail(file) : file
  if (format === 'xlsx') await guardZip(bytes)
  // The code pages of workbooks before Excel 97.
  else set_cptable(codePages)
  const book = openBook(bytes)
  const is1904 = book.Workbook?.WBProps?.date1904 === true
  const sheets: string[] = []
  let length = 0
  let isCut = false
  book.SheetNames.forEach((name, index) => {
    const rows: (CellObject[] | undefined)[] = book.Sheets[name]?.['!data'] ?? []
    const isHidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0
    const lines = [`# ${name}${isHidden ? ' (hidden)' : ''}`]
    // `forEach` skips the holes of a sparse array; `for` would visit them.
    rows.forEach((row) => {
      if (row === undefined) return
      if (length >= maxCharacters) {
        isCut = true
        return
      }
      const line = csvLine(row, is1904)
      if (line === '') return
      lines.push(line)
      length += line.length
    })
    if (lines.length > 1) sheets.push(lines.join('\n'))
  })
  return { text: sheets.join('\n\n'), isCut: isCut || length > maxCharacters }
}

function openBook(bytes: Buffer): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      // Rows as sparse arrays.
      dense: true,
      cellFormula: true,
      // Formulas without a stored value are stubs, as are empty cells with a style: in a large workbook, too many.
      sheetStubs: bytes.length <= STUBS_BYTES,
      cellNF: true,
      cellHTML: false,
      cellStyles: false,
      bookVBA: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new RefusedDocument('password')
    throw error
  }
}

function csvLine(row: readonly (CellObject | undefined)[], is1904: boolean): string {
  let line = ''
  let column = 0
  row.forEach((cell, index) => {
    const value = cell === undefined ? '' : cellText(cell, is1904)
    if (value === '') return
    line += `${','.repeat(index - column)}${/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value}`
    column = index
  })
  return line
}
