/** Formats that need a parser. HTML needs it where its text is wanted without its markup. */
export const DOCUMENT_FORMATS = ['pdf', 'docx', 'doc', 'xlsx', 'xls', 'html'] as const

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

export function isDocumentFormat(value: string | null): value is DocumentFormat {
  return DOCUMENT_FORMATS.some((format) => format === value)
}
