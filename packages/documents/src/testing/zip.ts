import { crc32, deflateRawSync } from 'node:zlib'

/** The real and the falsely declared contents of an archive entry. */
export interface ZipEntry {
  name: string
  data: string | Buffer
  /** Declared in both headers instead of the true size. */
  claimedSize?: number
  /** Declared in both headers instead of the true checksum. */
  claimedCrc?: number
  /** Bytes stored in the archive instead of the deflated data. */
  raw?: Buffer
  /** Declared in the local header only; 0 is stored, 8 deflated. */
  localMethod?: number
  /** Stored instead of deflated, with the sizes only after its data, as in a streamed archive. */
  isStreamed?: boolean
}

const DEFLATED = 8

/** An archive with the requested false declarations. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const data = Buffer.from(entry.data)
    const packed = entry.raw ?? (entry.isStreamed ? data : deflateRawSync(data, { level: 9 }))
    // CRC, compressed size, size, length of the name.
    const sums = Buffer.alloc(16)
    sums.writeUInt32LE(entry.claimedCrc ?? crc32(data), 0)
    sums.writeUInt32LE(packed.length, 4)
    sums.writeUInt32LE(entry.claimedSize ?? data.length, 8)
    sums.writeUInt16LE(name.length, 12)
    const method = entry.isStreamed ? 0 : DEFLATED
    // Bit 3: a descriptor follows the data. Bit 11: the name is UTF-8.
    const flags = entry.isStreamed ? 8 : 0
    const head = (of: number) => Buffer.from([20, 0, flags, 8, of, 0, 0, 0, 0x21, 0])
    const descriptor = entry.isStreamed
      ? Buffer.concat([Buffer.from('PK\x07\x08'), sums.subarray(0, 12)])
      : Buffer.alloc(0)
    const localSums = Buffer.from(sums)
    if (entry.isStreamed) localSums.fill(0, 0, 12)
    local.push(
      Buffer.from('PK\x03\x04'),
      head(entry.localMethod ?? method),
      localSums,
      name,
      packed,
      descriptor,
    )
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00'), head(method), sums, place, name)
    offset += 30 + name.length + packed.length + descriptor.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
