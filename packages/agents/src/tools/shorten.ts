/** The longest tool result shown to a model, in UTF-8 bytes. */
export const MAX_RESULT_BYTES = 32 * 1024

const CUT = (bytes: number) => `\n… [${bytes} bytes left out] …\n`

/**
 * A text longer than `maxBytes` of UTF-8 reduced to head and tail, with a note of the omitted size between
 * them; a shorter text unchanged. Never cuts inside a character.
 */
export function shorten(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= maxBytes) return text
  const note = CUT(bytes.length - maxBytes)
  const room = Math.max(0, maxBytes - Buffer.byteLength(note))
  const head = Math.ceil((room * 2) / 3)
  const whole = (part: Buffer) => part.toString('utf8').replaceAll('\ufffd', '')
  return whole(bytes.subarray(0, head)) + note + whole(bytes.subarray(bytes.length - (room - head)))
}
