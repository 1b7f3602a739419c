/** Formats that need a parser. */
export const DOCUMENT_FORMATS = ['pdf', 'docx', 'doc', 'xlsx', 'xls'] as const

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

export function isDocumentFormat(value: string | null): value is DocumentFormat {
  return DOCUMENT_FORMATS.some((format) => format === value)
}
