import { chunksOf } from './wav.ts'

/** Minimum length of the format chunk in bytes. */
const FORMAT_BYTES = 16
/** PCM, floating point, the two telephone codecs, and the extensible format. */
const FORMATS: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe])
/** Samples per second. Players treat other rates as a fault of the file. */
const [LEAST_RATE, MOST_RATE] = [4_000, 192_000]

/** The reason that a WAV file is inaudible, as the end of a sentence about audio; null when it is audible. */
export function wavFault(file: Buffer): string | null {
  let isDescribed = false
  for (const { id, from, to } of chunksOf(file)) {
    if (id === 'fmt ') {
      const fault = formatFault(file.subarray(from, to))
      if (fault !== null) return fault
      isDescribed = true
    }
    if (id === 'data') {
      if (!isDescribed) return 'does not say its format'
      return to - from < 2 ? 'has no sound' : null
    }
  }
  return 'has no sound'
}

function formatFault(format: Buffer): string | null {
  if (format.length < FORMAT_BYTES) return 'does not say its format'
  const [kind, channels, rate] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt32LE(4)]
  if (!FORMATS.has(kind)) return `has the format ${kind}, which is not plain WAV`
  if (channels < 1 || channels > 2) return `has ${channels} channels`
  if (rate < LEAST_RATE || rate > MOST_RATE) return `has ${rate} samples a second`
  return null
}
