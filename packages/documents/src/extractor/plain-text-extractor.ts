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
/** The most bytes that UTF-8 or UTF-16 takes per code unit. */
const MAX_BYTES = MAX_TEXT_LENGTH * 3

/** Reads plain-text formats; every other file yields a description of its type. */
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
 * Decodes by byte order mark, else as UTF-8, else as Windows-1252, which old programs write. The bytes may
 * end inside a character.
 */
export function decodeText(bytes: Uint8Array): string {
  // With `stream`, an unfinished last character is dropped instead of failing the decoding.
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
