/** Bytes of an RTP header without extensions. */
const HEADER = 12
const VERSION = 0x80
const MARKER = 0x80

export interface RtpPacket {
  payloadType: number
  marker: boolean
  timestamp: number
  payload: Buffer
}

/** The packet, or null for invalid bytes. Header extensions and contributing sources are skipped. */
export function readRtp(bytes: Buffer): RtpPacket | null {
  if (bytes.length < HEADER || (bytes.readUInt8(0) & 0xc0) !== VERSION) return null
  const first = bytes.readUInt8(0)
  const second = bytes.readUInt8(1)
  let start = HEADER + (first & 0x0f) * 4
  if ((first & 0x10) !== 0) {
    if (bytes.length < start + 4) return null
    start += 4 + bytes.readUInt16BE(start + 2) * 4
  }
  if (bytes.length < start) return null
  return {
    payloadType: second & 0x7f,
    marker: (second & MARKER) !== 0,
    timestamp: bytes.readUInt32BE(4),
    payload: bytes.subarray(start),
  }
}

/** Numbers the packets of one direction of one call. */
export class RtpWriter {
  #sequence = Math.floor(Math.random() * 0x1_0000)
  readonly #source = Math.floor(Math.random() * 0x8000_0000)

  write(packet: RtpPacket): Buffer {
    this.#sequence = (this.#sequence + 1) & 0xffff
    const header = Buffer.alloc(HEADER)
    header.writeUInt8(VERSION, 0)
    header.writeUInt8((packet.marker ? MARKER : 0) | packet.payloadType, 1)
    header.writeUInt16BE(this.#sequence, 2)
    header.writeUInt32BE(packet.timestamp >>> 0, 4)
    header.writeUInt32BE(this.#source, 8)
    return Buffer.concat([header, packet.payload])
  }
}
