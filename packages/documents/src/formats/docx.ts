import mammoth from 'mammoth'
import { guardZip } from './guard-zip.ts'

/** The unformatted text, with an empty line between paragraphs. */
export async function parseDocx(bytes: Buffer): Promise<string> {
  await guardZip(bytes)
  const { value } = await mammoth.extractRawText({ buffer: bytes })
  return value.trim()
}
