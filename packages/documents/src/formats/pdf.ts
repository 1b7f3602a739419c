import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { PDF_PAGES } from './limits.ts'
import { drawnTexts } from './pdf/drawn-texts.ts'
import { formLines, isDrawnOnly } from './pdf/form-lines.ts'
import { defineMissingFunctions } from './pdf/missing-functions.ts'
import { pageText } from './pdf/page-text.ts'
import { type ParsedText, RefusedDocument } from './unreadable.ts'

/**
 * The text of the first {@link PDF_PAGES} pages, separated by form feeds; '' for scanned pages. Values of form fields
 * and notes are at the end of their page.
 *
 * @param resources folder of the character maps and standard fonts of pdf.js
 * @throws RefusedDocument for a document with a password
 */
export async function parsePdf(bytes: Buffer, maxCharacters: number, resources: string): Promise<ParsedText> {
  defineMissingFunctions()
  const pdf = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
    // Disables the library's image code. It no longer uses eval, so that needs no option.
    useWasm: false,
    // Images in annotation appearances are not decoded.
    maxImageSize: 1,
    disableFontFace: true,
    useSystemFonts: false,
    // Forms of Adobe's XFA keep their text in XML; their page says "Please wait…".
    enableXfa: true,
    verbosity: 0,
    ...resourceOptions(resources),
  }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'PasswordException'
      ? new RefusedDocument('password')
      : error
  })
  const { OPS } = await getResolvedPDFJS()
  let text = ''
  let isCut = pdf.numPages > PDF_PAGES
  for (let number = 1; number <= Math.min(pdf.numPages, PDF_PAGES); number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const annotations = await page.getAnnotations()
    const drawn = annotations.some(isDrawnOnly) ? drawnTexts(await page.getOperatorList(), OPS) : new Map()
    const lines = [pageText(items), ...formLines(annotations, drawn, await page.getXfa())]
    const whole = lines.filter((line) => line.trim() !== '').join('\n')
    text += number === 1 ? whole : `\f${whole}`
    if (text.length >= maxCharacters) {
      isCut ||= number < pdf.numPages || text.length > maxCharacters
      break
    }
    page.cleanup()
  }
  // Form feeds stay: they number the pages. One after a single page marks the text as paged.
  if (text.trim() === '') return { text: '', isCut: false }
  return { text: pdf.numPages === 1 ? `${text}\f` : text, isCut }
}

/**
 * Character maps of Chinese, Japanese and Korean fonts, and the standard fonts that a PDF need not embed, from files
 * instead of the network.
 */
function resourceOptions(folder: string) {
  return {
    cMapUrl: `${join(folder, 'cmaps')}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(folder, 'standard_fonts')}/`,
    useWorkerFetch: false,
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
        const place = kind === 'cMapUrl' ? 'cmaps' : 'standard_fonts'
        // The name comes from the document.
        return new Uint8Array(await readFile(join(folder, place, basename(filename))))
      }
    },
  }
}
