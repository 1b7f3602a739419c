import type { IncomingMessage } from 'node:http'

/** A part's header is shorter; above it, the library's names are used. */
const LONGEST_HEADER = 16 * 1024
/** RFC 8187: `filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`. */
const EXTENDED =
  /;[ \t]{0,9}filename\*[ \t]{0,9}=[ \t]{0,9}(utf-8|iso-8859-1)'[\w-]{0,40}'([\w!#$&+.^`|~%-]{1,2000})/i
/** RFC 2047, which .NET and old mail programs write into `filename`: `=?utf-8?B?w6Q=?=`. */
const ENCODED_WORD = /=\?(utf-8|iso-8859-1)\?(b|q)\?([^?\s]{0,2000})\?=(?:[ \t]{0,9}(?==\?))?/gi

/**
 * Watches the header of the first part of a multipart body for its full name. The multipart library drops `filename*`
 * after a `filename`, which is then only the ASCII name. Call it before the body is read.
 *
 * @returns the name seen so far: null without `filename*`
 */
export function watchFilename(body: IncomingMessage): () => string | null {
  let header = ''
  const watch = (chunk: Buffer) => {
    header += chunk.subarray(0, LONGEST_HEADER).toString('latin1')
    if (!header.includes('\r\n\r\n') && header.length < LONGEST_HEADER) return
    body.off('data', watch)
  }
  body.on('data', watch)
  return () => {
    body.off('data', watch)
    return extendedFilename(header.slice(0, LONGEST_HEADER).split('\r\n\r\n', 1)[0] ?? '')
  }
}

/** The name of `filename*` in a header; null if there is no readable one. */
export function extendedFilename(header: string): string | null {
  const [, label, encoded = ''] = EXTENDED.exec(header) ?? []
  if (label === undefined) return null
  return decoded(
    label,
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
}

/** A sent name in one form: encoded words decoded, and letters with separate accents composed, as macOS sends them. */
export function plainFilename(sent: string): string {
  return sent
    .replace(ENCODED_WORD, (word, label: string, kind: string, text: string) => {
      const bytes =
        kind.toLowerCase() === 'b'
          ? Buffer.from(text, 'base64').toString('latin1')
          : text
              .replaceAll('_', ' ')
              .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      return decoded(label, bytes) ?? word
    })
    .normalize('NFC')
}

/** Bytes, given as Latin-1, in their encoding; null if they are invalid in it. */
function decoded(label: string, bytes: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return null
  }
}
