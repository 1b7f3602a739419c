const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const OLD_WORKBOOKS = ['09000400', '09020600', '09040600'].map((hex) => Buffer.from(hex, 'hex'))
const PDF = Buffer.from('%PDF-')

/** PDF readers search for the signature within this many bytes. */
const PDF_REACH = 1024

export const isArchive = (bytes: Buffer) => bytes.subarray(0, ZIP.length).equals(ZIP)

/** The container of Office documents before 2007, and of newer ones with a password. */
export const isCompoundFile = (bytes: Buffer) => bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)

/** The first record of a workbook of Excel 2, 3 and 4, which has no container ([MS-XLS] 2.4.21: number, length, version). */
export const isOldWorkbook = (bytes: Buffer) =>
  OLD_WORKBOOKS.some((beginning) => bytes.subarray(0, beginning.length).equals(beginning))

/** Where the PDF begins: mail programs and servers put lines before it. -1 for no PDF. */
const beginningOfPdf = (bytes: Buffer) => bytes.subarray(0, PDF_REACH).indexOf(PDF)

/**
 * Checks the signature, because libraries guess the format: given an xls, the spreadsheet library would also
 * open a text, and so bypass the guard.
 *
 * @throws Error when the bytes are not in the given format
 */
export function requireBeginning(format: 'pdf' | 'doc' | 'xlsx' | 'xls', bytes: Buffer): void {
  const isFormat = {
    pdf: beginningOfPdf(bytes) >= 0,
    xlsx: isArchive(bytes),
    doc: isCompoundFile(bytes),
    xls: isCompoundFile(bytes) || isOldWorkbook(bytes),
  }
  if (!isFormat[format]) throw new Error(`this is not a file of the format ${format}`)
}
