import type { DocumentFormat } from './document-format.ts'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const BEGINNINGS = {
  pdf: Buffer.from('%PDF-'),
  docx: ZIP,
  xlsx: ZIP,
  doc: COMPOUND_FILE,
  xls: COMPOUND_FILE,
} as const satisfies Record<DocumentFormat, Buffer>

/** Readers of PDF look for its beginning so far into a file. */
const PDF_REACH = 1024

/**
 * Libraries guess: the one for spreadsheets would also open an archive, and around the guard, when it was asked for an xls.
 *
 * @throws Error when the bytes are no such document
 */
export function requireBeginning(format: DocumentFormat, bytes: Buffer): void {
  const beginning = BEGINNINGS[format]
  const at = bytes.subarray(0, PDF_REACH).indexOf(beginning)
  if (format === 'pdf' ? at >= 0 : at === 0) return
  throw new Error(`this is no ${format}`)
}
