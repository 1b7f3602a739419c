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

/** Maximum length of the text of one file, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000

const LONGEST_NAME = 255

/**
 * Port: extracts the text of files, at most {@link MAX_TEXT_LENGTH} well-formed UTF-16 code units. A format
 * without text, or a broken or hostile file, yields a short description in brackets.
 */
export interface TextExtractor {
  /** @throws BusyError when it was not read, the only error that a file can cause */
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

/** The reasons why a file has no text, in the words of its placeholder. */
export type NoText = 'broken' | 'password' | 'outdated' | 'memory' | 'time' | 'size' | 'pictures'

const REASONS: Record<NoText, string> = {
  broken: 'could not be read',
  password: 'could not be read: it is protected by a password',
  outdated: 'could not be read: it was written by Word 95 or earlier. Save it as .docx',
  memory: 'could not be read: reading it takes too much memory',
  time: 'could not be read: reading it takes too long',
  size: 'could not be read: it is too large',
  pictures: 'has no text: its pages are pictures, such as scans',
}

/**
 * The placeholder for a file without text: `[report.docx could not be read: it is protected by a password]`. Only the last
 * segment of the name is kept, without invisible characters.
 */
export function unreadableFile(
  { filename }: Pick<FileToRead, 'filename'>,
  reason: NoText = 'broken',
): string {
  const shown = filename
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .trim()
  return `[${shown || 'The file'} ${REASONS[reason]}]`
}

/**
 * Cuts a text to the maximum length; the result is well-formed, and a cut text ends with an error message that says so.
 *
 * @param isCut whether the file continues after the text
 */
export function cutText(text: string, isCut = false): string {
  if (!isCut && text.length <= MAX_TEXT_LENGTH) return text.toWellFormed()
  const note = '\n\n[The text of this file continues. Only its beginning was read.]'
  return text.slice(0, MAX_TEXT_LENGTH - note.length).toWellFormed() + note
}

/** Why an extracted text only says that a file has none, as a sentence; null for the text of a file. */
export function placeholderReason(text: string, file: FileToRead): string | null {
  if (text === describeFile(file)) return 'This kind of file has no text that can be read.'
  for (const reason of ALL_REASONS) {
    if (text === unreadableFile(file, reason)) return `The file ${REASONS[reason]}.`
  }
  return null
}

const ALL_REASONS: readonly NoText[] = [
  'broken',
  'password',
  'outdated',
  'memory',
  'time',
  'size',
  'pictures',
]
