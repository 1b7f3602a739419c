import { isStringOneByteRepresentation } from 'node:v8'

/** Bytes of a text in memory: one for each character if it has only Latin-1 characters, else two. Takes no time for a long text. */
export function bytesOfText(text: string): number {
  return isStringOneByteRepresentation(text) ? text.length : 2 * text.length
}
