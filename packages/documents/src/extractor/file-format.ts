import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { isOldWorkbook } from '../formats/beginnings.ts'
import { looksLikeText } from './looks-like-text.ts'

/** Text formats and documents. */
const CONTENT_TYPES = {
  txt: 'text/plain',
  csv: 'text/csv',
  md: 'text/markdown',
  html: 'text/html',
  xml: 'application/xml',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
} as const satisfies Record<string, string>

/** A format whose text can be read. */
export type FileFormat = keyof typeof CONTENT_TYPES

const TEXTS: ReadonlySet<string> = new Set(['txt', 'csv', 'md', 'html', 'xml'])
/** Word and Excel, each with its templates and macros, and with its older form: such files are often renamed, and their parser detects the form itself. */
const WORD: ReadonlySet<string> = new Set(['docx', 'doc', 'docm', 'dotx', 'dotm', 'dot'])
const EXCEL: ReadonlySet<string> = new Set(['xlsx', 'xls', 'xlsm', 'xltx', 'xltm', 'xlt'])
/** Other names of a format. */
const ALIASES: Readonly<Record<string, FileFormat>> = {
  htm: 'html',
  xhtml: 'html',
  markdown: 'md',
  text: 'txt',
  tsv: 'csv',
}

const WORD_TYPE = /wordprocessingml|ms-word/
const EXCEL_TYPE = /spreadsheetml|ms-excel/
/** Containers whose first bytes do not reveal their content. */
const ARCHIVE = 'application/zip'
const COMPOUND_FILE = 'application/x-cfb'

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

/**
 * Detects the type of a file. A text format is decided by the extension and the bytes of the text, because a text may
 * begin with the signature of another type (`BMI,age` with that of a bitmap); every other format by its first bytes and
 * the extension.
 */
export async function recogniseFile(path: string, filename: string): Promise<RecognisedFile> {
  const extension = extensionOf(filename)
  const text = ALIASES[extension] ?? extension
  if (isFileFormat(text) && TEXTS.has(text) && (await looksLikeText(path))) {
    return { contentType: CONTENT_TYPES[text], format: text }
  }
  const seen = await typeOf(path)
  const format = seen === null ? null : documentFormat(extension, seen)
  return format === null
    ? { contentType: seen ?? UNKNOWN, format: null }
    : { contentType: CONTENT_TYPES[format], format }
}

function isFileFormat(extension: string): extension is FileFormat {
  return Object.hasOwn(CONTENT_TYPES, extension)
}

function documentFormat(extension: string, seen: string): FileFormat | null {
  if (extension === 'pdf') return seen === CONTENT_TYPES.pdf ? 'pdf' : null
  const isContainer = seen === ARCHIVE || seen === COMPOUND_FILE
  if (WORD.has(extension) && (isContainer || WORD_TYPE.test(seen)))
    return seen === COMPOUND_FILE ? 'doc' : 'docx'
  if (EXCEL.has(extension) && (isContainer || EXCEL_TYPE.test(seen)))
    return seen === COMPOUND_FILE || seen === CONTENT_TYPES.xls ? 'xls' : 'xlsx'
  return null
}

/** null for bytes of no known type, and for a file that ends within the header of its type. */
async function typeOf(path: string): Promise<string | null> {
  try {
    return (await fileTypeFromFile(path))?.mime ?? (await typeByBeginning(path))
  } catch (error) {
    // The library throws at the end of a file. A bundle holds its class twice, so the error is identified by its name.
    if (error instanceof Error && error.name === 'EndOfStreamError') return await typeByBeginning(path)
    if (error instanceof Error && 'syscall' in error) throw error
    return null
  }
}

/** Types that the library does not know. Mail programs and servers put lines before a PDF; readers look for it within 1,024 bytes. */
async function typeByBeginning(path: string): Promise<string | null> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0)
  const beginning = buffer.subarray(0, bytesRead)
  if (beginning.includes('%PDF-')) return CONTENT_TYPES.pdf
  return isOldWorkbook(beginning) ? CONTENT_TYPES.xls : null
}

/** The format of a file that {@link recogniseFile} has already recognised; null if its name belongs to another one. */
export function formatOf(filename: string, contentType: string): FileFormat | null {
  const extension = extensionOf(filename)
  for (const [format, type] of Object.entries(CONTENT_TYPES)) {
    if (type === contentType && isFileFormat(format) && isNamed(format, extension)) return format
  }
  return null
}

function isNamed(format: FileFormat, extension: string): boolean {
  if (format === 'docx' || format === 'doc') return WORD.has(extension)
  if (format === 'xlsx' || format === 'xls') return EXCEL.has(extension)
  return (ALIASES[extension] ?? extension) === format
}
