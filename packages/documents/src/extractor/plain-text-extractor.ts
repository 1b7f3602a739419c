import { open } from 'node:fs/promises'
import { type FileFormat, formatOf } from './file-format.ts'
import {
  cutText,
  describeFile,
  MAX_TEXT_LENGTH,
  type TextExtractor,
  unreadableFile,
} from './text-extractor.ts'

const PLAIN: ReadonlySet<FileFormat | null> = new Set(['txt', 'csv', 'md', 'html', 'xml'])
/** No character of UTF-8 or UTF-16 takes more bytes for each unit that is kept. */
const MAX_BYTES = MAX_TEXT_LENGTH * 3

/** Reads the formats that are text as they are; of everything else it tells what it is. */
export function createPlainTextExtractor(): TextExtractor {
  return {
    async extractText(file) {
      if (!PLAIN.has(formatOf(file.filename, file.contentType))) return describeFile(file)
      try {
        return cutText(decodeText(await readBeginning(file.path, MAX_BYTES)))
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

/**
 * Reads bytes by their byte order mark, else as UTF-8, else as Windows-1252, which is what old programs write. The bytes
 * may end inside of a character.
 */
export function decodeText(bytes: Uint8Array): string {
  // `stream` keeps back an unfinished last character instead of failing for it.
  const decode = (label: string, fatal: boolean) =>
    new TextDecoder(label, { fatal }).decode(bytes, { stream: true })
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le', false)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be', false)
  try {
    return decode('utf-8', true)
  } catch {
    return decode('windows-1252', false)
  }
}
