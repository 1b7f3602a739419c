/**
 * Bytes of a value besides its texts. Measured: objects of configurations take 40 to 70 bytes per property.
 */
const BYTES_OF_VALUE = 64

/**
 * Approximate bytes of a JSON value in memory, for caches. Counts two bytes per character, though most strings take
 * one. Linear, without recursion.
 */
export function keptBytes(value: unknown): number {
  let bytes = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    bytes += BYTES_OF_VALUE
    if (typeof next === 'string') bytes += 2 * next.length
    else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        bytes += 2 * key.length
        open.push(inner)
      }
    }
  }
  return bytes
}
