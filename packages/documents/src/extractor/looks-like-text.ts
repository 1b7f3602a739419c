import { open } from 'node:fs/promises'

/** The number of bytes examined at the beginning and at the end. */
const PIECE = 64 * 1024
/** Control characters that no text has. Escape (0x1b) begins codes of ISO-2022 texts, and 0x1a ends files of old systems. */
const CONTROLS: ReadonlySet<number> = new Set([
  ...Array.from({ length: 9 }, (_, code) => code),
  ...[
    0x0b, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1c, 0x1d, 0x1e, 0x1f,
    0x7f,
  ],
])

/** Whether a file is text: it has no control characters, or is UTF-16 or UTF-32. An empty file is text. */
export async function looksLikeText(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const pieces: Buffer[] = []
  for (const position of size > PIECE ? [0, Math.max(PIECE, size - PIECE)] : [0]) {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(PIECE, size)),
      0,
      Math.min(PIECE, size),
      position,
    )
    pieces.push(buffer.subarray(0, bytesRead))
  }
  const [beginning = Buffer.alloc(0)] = pieces
  if (hasWideMark(beginning)) return true
  if (beginsPdf(beginning)) return false
  return pieces.every(isNarrowText) || isWideText(beginning)
}

/** A PDF has its version in the first line, and in the second four bytes above 127 that mark it as binary (ISO 32000-1, 7.5.2). No sentence has such a second line. */
function beginsPdf(bytes: Buffer): boolean {
  return /^%PDF-\d\.\d[\r\n]{1,2}%[\x80-\xff]{4}/.test(bytes.subarray(0, 20).toString('latin1'))
}

function hasWideMark(bytes: Buffer): boolean {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  return isLittle || isBig || bytes.subarray(0, 4).equals(Buffer.from([0, 0, 0xfe, 0xff]))
}

function isNarrowText(bytes: Buffer): boolean {
  return !bytes.some((byte) => CONTROLS.has(byte))
}

/** UTF-16 without a mark, of mostly Latin text: one of every two bytes is 0, and the other no control character. */
function isWideText(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return false
  for (const side of [0, 1]) {
    let zeros = 0
    let controls = 0
    for (let at = 0; at < bytes.length; at += 2) {
      if (bytes[at + side] === 0) zeros += 1
      const other = bytes[at + 1 - side] ?? 0
      if (CONTROLS.has(other) && bytes[at + side] === 0) controls += 1
    }
    if (zeros > (bytes.length / 2) * 0.4 && controls === 0) return true
  }
  return false
}
