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

/** PDF readers search for the signature within this many bytes. */
const PDF_REACH = 1024

/**
 * Checks the signature, because libraries guess the format: the spreadsheet library, asked for an xls, would
 * also open a zip archive and so bypass the guard.
 *
 * @throws Error when the bytes are not in the given format
 */
export function requireBeginning(format: DocumentFormat, bytes: Buffer): void {
  const beginning = BEGINNINGS[format]
  const at = bytes.subarray(0, PDF_REACH).indexOf(beginning)
  if (format === 'pdf' ? at >= 0 : at === 0) return
  throw new Error(`this is no ${format}`)
}
