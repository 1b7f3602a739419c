import type { SqlValue } from '../client/sql-client.ts'

const LENGTH_OF_NULL = -1

/**
 * The protocol's Bind message (https://www.postgresql.org/docs/current/protocol-message-formats.html): the values of a
 * prepared statement as texts, for the unnamed portal. Written once into one buffer of its size: PGlite's own function
 * encodes each value into a buffer that grows, which took a tenth of a run's time outside PostgreSQL.
 */
export function bind(statement: string, values: readonly SqlValue[]): Uint8Array {
  const texts = values.map((value) => (value === null ? null : String(value)))
  const lengths = texts.map((text) => (text === null ? LENGTH_OF_NULL : Buffer.byteLength(text)))
  // Both names with their ends, no formats of values, their number, and no formats of results.
  const fixed = 4 + 1 + Buffer.byteLength(statement) + 1 + 2 + 2 + 2
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), fixed)
  const message = Buffer.alloc(1 + size)
  message.write('B')
  message.writeInt32BE(size, 1)
  let at = 6
  at += message.write(statement, at) + 1
  at += 2
  at = message.writeUInt16BE(texts.length, at)
  for (const [n, text] of texts.entries()) {
    at = message.writeInt32BE(lengths[n] ?? LENGTH_OF_NULL, at)
    if (text !== null) at += message.write(text, at)
  }
  return message
}
