/** A file to read. */
export interface FileToRead {
  /** Absolute path on this machine. */
  path: string
  /** A media type, detected from the content and not declared by the sender. */
  contentType: string
  sizeBytes: number
  /** The file name given by the sender; only its extension is used. */
  filename: string
  /** The organization that received the file. Organizations take turns when files queue. */
  organizationId: string
  /** Whether form feeds separate the pages of the text; otherwise empty lines do. */
  pages?: boolean
}

/** The extraction queue is full. The file itself is fine, and the caller may retry. */
export class ExtractorBusyError extends Error {
  override readonly name = 'ExtractorBusyError'
}

/** Maximum length of the text of one file, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000

const LONGEST_NAME = 255

/**
 * Port: extracts the text of files, at most {@link MAX_TEXT_LENGTH} well-formed UTF-16 code units. A format
 * without text, or a broken or hostile file, yields a short description in brackets.
 */
export interface TextExtractor {
  /** @throws ExtractorBusyError, the only error that a file can cause */
  extractText(file: FileToRead): Promise<string>
}

/** The placeholder for a file without text: `[image/png file, 34 KB, no text extracted]`. */
export function describeFile({
  contentType,
  sizeBytes,
}: Pick<FileToRead, 'contentType' | 'sizeBytes'>): string {
  const kilobytes = Math.max(1, Math.round(sizeBytes / 1024))
  return `[${contentType} file, ${kilobytes} KB, no text extracted]`
}

/**
 * The placeholder for an unreadable file: `[report.docx could not be read]`. Only the last segment of the
 * name is kept, without invisible characters.
 */
export function unreadableFile({ filename }: Pick<FileToRead, 'filename'>): string {
  const shown = filename
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .trim()
  return `[${shown || 'The file'} could not be read]`
}

/** Truncates a text to the maximum length; the result is well-formed. */
export function cutText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
}

/** Whether an extracted text only says that a file has none. */
export function isPlaceholder(text: string, file: FileToRead): boolean {
  return text === describeFile(file) || text === unreadableFile(file)
}
