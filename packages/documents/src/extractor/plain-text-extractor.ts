import { open } from 'node:fs/promises'
import { decodeMarkup, decodeText } from '../formats/decode-text.ts'
import { type FileFormat, formatOf } from './file-format.ts'
import {
  cutText,
  describeFile,
  MAX_TEXT_LENGTH,
  type TextExtractor,
  unreadableFile,
} from './text-extractor.ts'

const PLAIN: ReadonlySet<FileFormat | null> = new Set(['txt', 'csv', 'md', 'html', 'xml'])
/** Formats that may declare their encoding. */
const MARKUP: ReadonlySet<string> = new Set(['text/html', 'application/xml'])
/** The most bytes that UTF-8 or UTF-16 takes per code unit. */
const MAX_BYTES = MAX_TEXT_LENGTH * 3

/** Reads plain-text formats; every other file yields a description of its type. */
export function createPlainTextExtractor(): TextExtractor {
  return {
    async extractText(file) {
      if (!PLAIN.has(formatOf(file.filename, file.contentType))) return describeFile(file)
      try {
        const decode = MARKUP.has(file.contentType) ? decodeMarkup : decodeText
        return cutText(decode(await readBeginning(file.path, MAX_BYTES)), file.sizeBytes > MAX_BYTES)
      } catch {
        return unreadableFile(file)
      }
    },
  }
}

async function readBeginning(path: string, length: number): Promise<Buffer> {
  await using file = await open(path)
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.min(size, length))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
  return bytes.subarray(0, bytesRead)
}
