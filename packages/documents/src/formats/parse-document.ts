import { requireBeginning } from './beginnings.ts'
import type { DocumentFormat } from './document-format.ts'

/**
 * The text of a document. Each library is loaded only for its own formats: the process reads one document.
 *
 * @param maxCharacters after so many a parser may stop
 * @throws whatever a library throws for a document that it cannot read
 */
export async function parseDocument(
  format: DocumentFormat,
  bytes: Buffer,
  maxCharacters: number,
): Promise<string> {
  requireBeginning(format, bytes)
  switch (format) {
    case 'pdf':
      return (await import('./pdf.ts')).parsePdf(bytes, maxCharacters)
    case 'docx':
      return (await import('./docx.ts')).parseDocx(bytes)
    case 'doc':
      return (await import('./doc.ts')).parseDoc(bytes)
    case 'xlsx':
    case 'xls':
      return (await import('./spreadsheet.ts')).parseSpreadsheet(format, bytes, maxCharacters)
    default:
      return format satisfies never
  }
}
