import mammoth from 'mammoth'
import { guardZip } from './guard-zip.ts'

/** The text without formats; paragraphs have an empty line between them. */
export async function parseDocx(bytes: Buffer): Promise<string> {
  await guardZip(bytes)
  const { value } = await mammoth.extractRawText({ buffer: bytes })
  return value.trim()
}
