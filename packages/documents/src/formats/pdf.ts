import { getDocumentProxy } from 'unpdf'
import { PDF_PAGES } from './limits.ts'

/** The text of the first {@link PDF_PAGES} pages, separated by form feeds; '' for scanned pages. */
export async function parsePdf(bytes: Buffer, maxCharacters: number): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
    // Disables the library's image code. It no longer uses eval, so that needs no option.
    useWasm: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
  })
  let text = ''
  for (let number = 1; number <= Math.min(pdf.numPages, PDF_PAGES); number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const lines = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    text += number === 1 ? lines : `\f${lines}`
    if (text.length >= maxCharacters) break
    page.cleanup()
  }
  // Form feeds stay: they number the pages.
  return text.trim() === '' ? '' : text
}
