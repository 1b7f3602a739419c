/** A file whose text is wanted. */
export interface FileToRead {
  /** Absolute path on this machine. */
  path: string
  /** A media type: what the content shows, not what a sender says. */
  contentType: string
  sizeBytes: number
  /** As its sender has named it; only the extension is looked at. */
  filename: string
  /** Whoever the file was sent to. Organizations take turns where files wait to be read. */
  organizationId: string
}

/** Too many files wait to be read. Nothing is wrong with this one: it can be sent again. */
export class ExtractorBusyError extends Error {
  override readonly name = 'ExtractorBusyError'
}

/** Characters of UTF-16 that are kept of the text of one file. */
export const MAX_TEXT_LENGTH = 1_000_000

const LONGEST_NAME = 255

/**
 * Port: reads the text of files. A format that has none, or that nobody can read, gives a short description in brackets;
 * a broken or hostile file gives one too. Gives at most {@link MAX_TEXT_LENGTH} well-formed characters.
 */
export interface TextExtractor {
  /** @throws ExtractorBusyError, and nothing else that a file could be the reason for */
  extractText(file: FileToRead): Promise<string>
}

/** What stands for a file without text: `[image/png file, 34 KB, no text extracted]`. */
export function describeFile({
  contentType,
  sizeBytes,
}: Pick<FileToRead, 'contentType' | 'sizeBytes'>): string {
  const kilobytes = Math.max(1, Math.round(sizeBytes / 1024))
  return `[${contentType} file, ${kilobytes} KB, no text extracted]`
}

/**
 * What stands for a file that nobody can read: `[report.docx could not be read]`. Of the name only the last part, and
 * nothing that does not show.
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

/** Cuts a text to what is kept of it, never through a character. */
export function cutText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
}
