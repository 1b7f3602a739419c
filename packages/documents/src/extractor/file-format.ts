import { fileTypeFromFile } from 'file-type'

/** Text formats and documents by file extension. */
const FORMATS = {
  txt: { contentType: 'text/plain', isText: true },
  csv: { contentType: 'text/csv', isText: true },
  md: { contentType: 'text/markdown', isText: true },
  html: { contentType: 'text/html', isText: true },
  xml: { contentType: 'application/xml', isText: true },
  pdf: { contentType: 'application/pdf', isText: false },
  docx: {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    isText: false,
  },
  doc: { contentType: 'application/msword', isText: false },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isText: false,
  },
  xls: { contentType: 'application/vnd.ms-excel', isText: false },
} as const satisfies Record<string, { contentType: string; isText: boolean }>

/** A format whose text can be read. */
export type FileFormat = keyof typeof FORMATS

/** Formats with the same signature, which only the extension distinguishes. */
const SAME_BEGINNING: Readonly<Record<string, readonly FileFormat[]>> = {
  'application/x-cfb': ['doc', 'xls'],
  'application/xml': ['txt', 'csv', 'md', 'html', 'xml'],
}

const UNKNOWN = 'application/octet-stream'

/** The detected type of a file. */
export interface RecognisedFile {
  /** Detected from the content; the type that the sender declares is ignored. */
  contentType: string
  /** null when the content has no readable text, or does not match the extension. */
  format: FileFormat | null
}

/** The extension of a file name in lower case without the dot; '' when there is none. */
export function extensionOf(filename: string): string {
  return /\.([^./\\]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}

function isFileFormat(extension: string): extension is FileFormat {
  return Object.hasOwn(FORMATS, extension)
}

/** Detects the type from the first bytes of a file and compares it with the extension. */
export async function recogniseFile(path: string, filename: string): Promise<RecognisedFile> {
  const extension = extensionOf(filename)
  const claimed = isFileFormat(extension) ? extension : null
  const seen = (await fileTypeFromFile(path))?.mime
  if (seen === undefined) {
    // Plain text has no signature; any other format does, so without one the extension is wrong.
    const isText = claimed !== null && FORMATS[claimed].isText
    return isText
      ? { contentType: FORMATS[claimed].contentType, format: claimed }
      : { contentType: UNKNOWN, format: null }
  }
  const isClaimed =
    claimed !== null && (FORMATS[claimed].contentType === seen || SAME_BEGINNING[seen]?.includes(claimed))
  return isClaimed
    ? { contentType: FORMATS[claimed].contentType, format: claimed }
    : { contentType: seen, format: null }
}

/** The format of a file that {@link recogniseFile} has already recognised. */
export function formatOf(filename: string, contentType: string): FileFormat | null {
  const format = extensionOf(filename)
  if (!isFileFormat(format)) return null
  return FORMATS[format].contentType === contentType ? format : null
}
