/** Maximum JSON bytes of the output of one node, and of all stored outputs of a run. */
export const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
export const MAX_RUN_BYTES = 50 * 1024 * 1024

/** A larger output is not measured to its end: rows of a node may all hold the same long text. */
export const MEASURED_OUTPUT_BYTES = 4 * MAX_OUTPUT_BYTES

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
 * @param limit counting ends above it, at a smaller number than the size: a value may hold the same text many times
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

/** `4 MB`, `1.3 MB`; rounded up, so that a size over the limit never reads as equal to it. */
export function megabytes(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MB`
}

/** Why the output of a node is too large; null when it is not. */
export function outputFault(bytes: number): string | null {
  const size = `${bytes > MEASURED_OUTPUT_BYTES ? 'at least ' : ''}${megabytes(bytes)}`
  return bytes <= MAX_OUTPUT_BYTES
    ? null
    : `the output is ${size}, more than the ${megabytes(MAX_OUTPUT_BYTES)} of a node`
}

/** Why the stored outputs of a run are too large in total; null when they are not. */
export function runOutputsFault(bytes: number): string | null {
  return bytes <= MAX_RUN_BYTES
    ? null
    : `the outputs of the run are ${megabytes(bytes)} with this one, more than the ${megabytes(MAX_RUN_BYTES)} of a run`
}
