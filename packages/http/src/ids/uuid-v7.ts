import { randomFillSync } from 'node:crypto'
import { type AnyId, asId } from '@troupe/contract'

const pool = new Uint8Array(16 * 256)
let at = pool.length

const LAST_IN_MS = 0xfff
let lastMs = 0
let inMs = 0

/**
 * A version 7 UUID: its first 48 bits are milliseconds, so that new rows are appended to an index. The next 12 bits
 * count the ids of a millisecond, so that the ids of one process sort in the order in which they were made
 * (RFC 9562, section 6.2), unless more than 2,000 are made in one millisecond or the clock is set back.
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
  // Half of the numbers are left for the ids that follow in this millisecond.
  const start = random.readUInt16BE(6) & (LAST_IN_MS >> 1)
  inMs = now === lastMs && inMs < LAST_IN_MS ? inMs + 1 : start
  lastMs = now
  random.writeUIntBE(now, 0, 6)
  random.writeUInt16BE(0x7000 | inMs, 6)
  random[8] = 0x80 | ((random[8] ?? 0) & 0x3f)
  const hex = random.toString('hex')
  return asId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
  )
}
