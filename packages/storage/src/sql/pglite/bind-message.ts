import type { SqlValue } from '../client/sql-client.ts'

const LENGTH_OF_NULL = -1

/**
 * The protocol's Bind message (https://www.postgresql.org/docs/current/protocol-message-formats.html): the values of a
 * prepared statement as texts, for the unnamed portal. Written into one buffer of the exact size: PGlite's own function
 * encodes each value into a growing buffer, which took a tenth of a run's time outside PostgreSQL.
 */
export function bind(statement: string, values: readonly SqlValue[]): Uint8Array {
  const texts: (string | null)[] = []
  // Both names with their terminators, zero value formats, the number of values, and zero result formats.
  let size = 4 + 1 + Buffer.byteLength(statement) + 1 + 2 + 2 + 2 + 4 * values.length
  for (const value of values) {
    const text = value === null ? null : String(value)
    texts.push(text)
    if (text !== null) size += Buffer.byteLength(text)
  }
  const message = Buffer.alloc(1 + size)
  message.write('B')
  message.writeInt32BE(size, 1)
  let at = 6
  at += message.write(statement, at) + 1
  at += 2
  at = message.writeUInt16BE(texts.length, at)
  for (const text of texts) {
    if (text === null) {
      at = message.writeInt32BE(LENGTH_OF_NULL, at)
    } else {
      const length = message.write(text, at + 4)
      message.writeInt32BE(length, at)
      at += 4 + length
    }
  }
  return message
}
