/** RFC 2833: keys as RTP events instead of tones. */

const KEYS = [...'0123456789*#ABCD']
/** Units of the RTP clock: 100 ms at 8 kHz, in packets of 20 ms. */
const STEP = 160
const STEPS = 5
/** The last packet is sent three times, because one may be lost. */
const ENDS = 3
const END_BIT = 0x80
const VOLUME = 10

export function isKey(text: string): boolean {
  return KEYS.includes(text)
}

/** The payloads that press one key, one for each 20 ms. All have the RTP time of the first. */
export function pressPayloads(key: string): Buffer[] {
  const event = KEYS.indexOf(key)
  if (event < 0) throw new Error(`There is no key ${key}`)
  return Array.from({ length: STEPS + ENDS - 1 }, (_, index) => {
    const isEnd = index >= STEPS - 1
    const payload = Buffer.alloc(4)
    payload.writeUInt8(event, 0)
    payload.writeUInt8((isEnd ? END_BIT : 0) | VOLUME, 1)
    payload.writeUInt16BE(Math.min(index + 1, STEPS) * STEP, 2)
    return payload
  })
}

/** Finds the keys in a stream of events: one for each RTP time, regardless of repeated packets. */
export class KeyReader {
  #lastTime: number | null = null

  /** The key released with this packet, or null. */
  read({ timestamp, payload }: { timestamp: number; payload: Buffer }): string | null {
    if (payload.length < 4 || (payload.readUInt8(1) & END_BIT) === 0) return null
    if (timestamp === this.#lastTime) return null
    this.#lastTime = timestamp
    return KEYS[payload.readUInt8(0)] ?? null
  }

  /** LiveKit's number of the key, which is also the event's. */
  static codeOf(key: string): number {
    return KEYS.indexOf(key)
  }
}
