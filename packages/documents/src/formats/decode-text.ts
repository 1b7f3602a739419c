import { analyse } from 'chardet'

/** The number of bytes examined to detect an encoding. */
const SAMPLE = 64 * 1024
/** Below this confidence, of 100, the guess is worse than Windows-1252. */
const MIN_CONFIDENCE = 60

/** Byte order marks, the longer ones first. */
const MARKS: readonly (readonly [label: string, ...bytes: number[]])[] = [
  ['utf-32le', 0xff, 0xfe, 0, 0],
  ['utf-32be', 0, 0, 0xfe, 0xff],
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]

/**
 * Decodes by byte order mark, else as UTF-8, else as UTF-16 without a mark, else by statistical detection (Shift-JIS,
 * EUC, Big5, GB 18030, KOI8-R and others), else as Windows-1252, the default of old programs. The bytes may end inside
 * a character.
 */
export function decodeText(bytes: Uint8Array): string {
  return decodeMarked(bytes) ?? decodeUtf8(bytes) ?? decodeAs(guessedLabel(bytes), bytes)
}

/** As {@link decodeText}, with the declaration of an XML or HTML file before any guess. */
export function decodeMarkup(bytes: Uint8Array): string {
  const declared = declaredLabel(bytes)
  // A file that declares UTF-16 in single-byte text was converted after it was written.
  if (declared !== null && !/^(?:utf-?16|utf-?8|ucs-2|unicode)/i.test(declared)) {
    const marked = decodeMarked(bytes)
    if (marked !== null) return marked
    try {
      return decodeAs(declared, bytes)
    } catch {
      // An unknown name.
    }
  }
  return decodeText(bytes)
}

function decodeMarked(bytes: Uint8Array): string | null {
  for (const [label, ...mark] of MARKS) {
    if (mark.every((byte, index) => bytes[index] === byte)) {
      return label.startsWith('utf-32')
        ? decodeUtf32(bytes.subarray(4), label === 'utf-32le')
        : decodeAs(label, bytes)
    }
  }
  const wide = wideLabel(bytes)
  return wide === null ? null : decodeAs(wide, bytes)
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** @throws RangeError for an unknown label */
function decodeAs(label: string, bytes: Uint8Array): string {
  // With `stream`, an unfinished last character is dropped.
  return new TextDecoder(label).decode(bytes, { stream: true })
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return parts.join('').toWellFormed()
}

/** Text in UTF-16 without a mark: nearly every second byte is 0, always on the same side. */
function wideLabel(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE)
  if (sample.length < 4 || sample.length % 2 !== 0) return null
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be'
  return null
}

function guessedLabel(bytes: Uint8Array): string {
  for (const { name, confidence } of analyse(bytes.subarray(0, SAMPLE))) {
    if (confidence < MIN_CONFIDENCE) break
    // Latin alphabets are guessed by letter pairs; Windows-1252 has all characters of ISO 8859-1.
    const label = name === 'ISO-8859-1' ? 'windows-1252' : name
    try {
      return new TextDecoder(label).encoding
    } catch {
      // An encoding that this Node does not know.
    }
  }
  return 'windows-1252'
}

const DECLARED = [
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i,
  /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i,
]

/** The encoding declared by an XML declaration or a `<meta>` within the first 2 KB. */
function declaredLabel(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  for (const pattern of DECLARED) {
    const found = pattern.exec(head)?.[1]
    if (found !== undefined) return found
  }
  return null
}
