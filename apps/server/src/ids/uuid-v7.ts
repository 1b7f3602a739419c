import { randomFillSync } from 'node:crypto'
import { type AnyId, asId } from '@troupe/contract'

const pool = new Uint8Array(16 * 256)
let at = pool.length

/**
 * A version 7 UUID: its first 48 bits are milliseconds, so that new rows are appended to an index.
 *
 * @param now milliseconds since the epoch
 */
export function uuidV7(now: number = Date.now()): AnyId {
  if (at === pool.length) {
    randomFillSync(pool)
    at = 0
  }
  const random = Buffer.from(pool.buffer, at, 16)
  at += 16
  random.writeUIntBE(now, 0, 6)
  random[6] = 0x70 | ((random[6] ?? 0) & 0x0f)
  random[8] = 0x80 | ((random[8] ?? 0) & 0x3f)
  const hex = random.toString('hex')
  return asId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
  )
}
