/** UTF-8 bytes counted as one token when the model's tokenizer is unavailable. */
const BYTES_PER_TOKEN = 3.5

/** The UTF-8 bytes of a UTF-16 code unit; each half of a surrogate pair counts as two. */
function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3
}

/** The UTF-8 bytes of a part of a well-formed text, without copying it. */
export function utf8Bytes(text: string, from = 0, to = text.length): number {
  let bytes = 0
  for (let at = from; at < to; at += 1) bytes += bytesOfUnit(text.charCodeAt(at))
  return bytes
}

/** The assumed bytes of a number of tokens. */
export function bytesOfTokens(tokens: number): number {
  return Math.floor(tokens * BYTES_PER_TOKEN)
}

/**
 * The end of the longest part of `text` from `from` to at most `to` that has at most `maxBytes`; never inside a
 * surrogate pair.
 */
export function endWithin(text: string, from: number, to: number, maxBytes: number): number {
  let at = from
  for (let bytes = 0; at < to; at += 1) {
    bytes += bytesOfUnit(text.charCodeAt(at))
    if (bytes > maxBytes) break
  }
  return atCharacter(text, at)
}

/** The start of the longest part of `text` up to `to` that has at most `maxBytes`; never inside a surrogate pair. */
export function startWithin(text: string, to: number, maxBytes: number): number {
  let at = to
  for (let bytes = 0; at > 0; at -= 1) {
    bytes += bytesOfUnit(text.charCodeAt(at - 1))
    if (bytes > maxBytes) break
  }
  return isLowHalf(text, at) ? at + 1 : at
}

function atCharacter(text: string, at: number): number {
  return isLowHalf(text, at) ? at - 1 : at
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return at > 0 && at < text.length && unit >= 0xdc00 && unit <= 0xdfff
}
