import { isArchive, isCompoundFile, requireBeginning } from './beginnings.ts'
import type { DocumentFormat } from './document-format.ts'
import { type ParsedText, RefusedDocument } from './unreadable.ts'

/** The options of parsing a document. */
export interface ParseOptions {
  /** The length after which a parser may stop. */
  maxCharacters: number
  /** Folder of the files that the parser of PDFs needs. */
  resources: string
}

/** The stream of a compound file in which Office stores a password-protected document. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')

/**
 * The text of a document. Libraries are loaded on demand, because the process reads only one document. Word and Excel
 * documents are distinguished from their older forms by their bytes, since people rename them.
 *
 * @throws RefusedDocument if the reason is known, else the library's error for an unreadable document
 */
export async function parseDocument(
  format: DocumentFormat,
  bytes: Buffer,
  { maxCharacters, resources }: ParseOptions,
): Promise<ParsedText> {
  if (isCompoundFile(bytes) && bytes.includes(ENCRYPTED_PACKAGE)) throw new RefusedDocument('password')
  switch (format) {
    case 'pdf':
      requireBeginning('pdf', bytes)
      return (await import('./pdf.ts')).parsePdf(bytes, maxCharacters, resources)
    case 'html':
      return (await import('./html.ts')).parseHtml(bytes, maxCharacters)
    case 'docx':
    case 'doc':
      if (isArchive(bytes)) return (await import('./docx.ts')).parseDocx(bytes, maxCharacters)
      requireBeginning('doc', bytes)
      return (await import('./doc.ts')).parseDoc(bytes, maxCharacters)
    case 'xlsx':
    case 'xls': {
      const found = isArchive(bytes) ? 'xlsx' : 'xls'
      requireBeginning(found, bytes)
      return (await import('./spreadsheet.ts')).parseSpreadsheet(found, bytes, maxCharacters)
    }
    default:
      return format satisfies never
  }
}
