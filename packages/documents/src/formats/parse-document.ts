import { requireBeginning } from './beginnings.ts'
import type { DocumentFormat } from './document-format.ts'

/**
 * The text of a document. Libraries are loaded on demand, because the process reads only one document.
 *
 * @param maxCharacters the length after which a parser may stop
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
