/** UTF-8 bytes of a string inside JSON, with its quotes. */
function stringBytes(text: string): number {
  let bytes = 2 + text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
    else if (unit < 0x20)
      bytes += unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 1 : 5
    else if (unit === 0x22 || unit === 0x5c) bytes += 1
  }
  return bytes
}

/**
 * UTF-8 bytes of a value as JSON, without serializing it. Undercounts lone surrogates, which JSON escapes; a value that
 * is not JSON counts as null.
 *
 * @param limit counting stops above it and returns a number that may be less than the size; needed because a value may
 * contain the same text many times
 */
export function jsonBytes(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  let bytes = 0
  const stack: unknown[] = [value]
  while (stack.length > 0 && bytes <= limit) {
    const next = stack.pop()
    if (typeof next === 'string') bytes += stringBytes(next)
    else if (typeof next === 'number' && Number.isFinite(next)) bytes += String(next).length
    else if (typeof next === 'boolean') bytes += next ? 4 : 5
    else if (typeof next !== 'object' || next === null) bytes += 4
    else if (Array.isArray(next)) {
      bytes += Math.max(next.length, 1) + 1
      for (const inner of next) stack.push(inner)
    } else {
      const keys = Object.keys(next)
      bytes += Math.max(keys.length, 1) + 1
      for (const key of keys) {
        bytes += stringBytes(key) + 1
        stack.push((next as Record<string, unknown>)[key])
      }
    }
  }
  return bytes
}

/** Whether a value has more than this many levels of lists and objects. It looks at most one level deeper; a scalar has none. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}
