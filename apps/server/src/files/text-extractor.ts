import type { LocalFile } from './file-store.ts'

/** A file whose text is wanted. */
export interface FileToRead extends LocalFile {
  /** As its sender has named it; only the extension is looked at. */
  filename: string
}

/** Characters of UTF-16 that are kept of the text of one file. */
export const MAX_TEXT_LENGTH = 1_000_000

/**
 * Port: reads the text of files. A format that has none, or that nobody can read, gives a short description in brackets;
 * a broken or hostile file gives one too. Never throws, and gives at most {@link MAX_TEXT_LENGTH} well-formed characters.
 */
export interface TextExtractor {
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

/** Cuts a text to what is kept of it, never through a character. */
export function cutText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
}
