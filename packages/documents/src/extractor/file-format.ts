import { fileTypeFromFile } from 'file-type'

/** What the extension of a file says that it is, for the formats that have a text. */
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

/** Formats that begin alike: only the extension tells them apart. */
const SAME_BEGINNING: Readonly<Record<string, readonly FileFormat[]>> = {
  'application/x-cfb': ['doc', 'xls'],
  'application/xml': ['txt', 'csv', 'md', 'html', 'xml'],
}

const UNKNOWN = 'application/octet-stream'

/** What a file is. */
export interface RecognisedFile {
  /** What the content shows; the sender's own claim is never looked at. */
  contentType: string
  /** null when the content is no format that has a text, or another one than the extension says. */
  format: FileFormat | null
}

/** The extension of a file name in lower case without its dot; '' when it has none. */
export function extensionOf(filename: string): string {
  return /\.([^./\\]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}

function isFileFormat(extension: string): extension is FileFormat {
  return Object.hasOwn(FORMATS, extension)
}

/** Looks at the first bytes of a file and compares them with its name. */
export async function recogniseFile(path: string, filename: string): Promise<RecognisedFile> {
  const extension = extensionOf(filename)
  const claimed = isFileFormat(extension) ? extension : null
  const seen = (await fileTypeFromFile(path))?.mime
  if (seen === undefined) {
    // Plain text has no beginning of its own. Every other format has: without it the name is wrong.
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

/** The format of a file that {@link recogniseFile} has seen before. */
export function formatOf(filename: string, contentType: string): FileFormat | null {
  const format = extensionOf(filename)
  if (!isFileFormat(format)) return null
  return FORMATS[format].contentType === contentType ? format : null
}
