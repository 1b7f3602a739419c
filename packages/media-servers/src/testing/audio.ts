/** Mono speech. */
export interface Speech {
  samples: Int16Array
  /** Samples per second. */
  rate: number
}

/** A louder frame contains speech; a quieter one noise or silence. */
const LOUD = 500
const AUDIBLE = 200

/** Root mean square of samples. */
export function loudness(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, samples.length))
}

export function isLoud(samples: Int16Array): boolean {
  return loudness(samples) > LOUD
}

/** Without the silence at both ends: engines begin with up to 250 ms, which a listener would count as latency. */
export function trimmed({ samples, rate }: Speech): Speech {
  const step = rate / 100
  const isSilent = (at: number) => loudness(samples.subarray(at, at + step)) < AUDIBLE
  let start = 0
  while (start + step < samples.length && isSilent(start)) start += step
  let end = samples.length
  while (end - step > start && isSilent(end - step)) end -= step
  return { samples: samples.subarray(start, end), rate }
}

/** The same speech at another rate, by linear interpolation: good enough for recognition with a grammar. */
export function resampled({ samples, rate }: Speech, to: number): Speech {
  if (rate === to) return { samples, rate }
  const result = new Int16Array(Math.floor((samples.length * to) / rate))
  for (let index = 0; index < result.length; index += 1) {
    const at = (index * rate) / to
    const before = Math.floor(at)
    const first = samples[before] ?? 0
    result[index] = first + ((samples[before + 1] ?? first) - first) * (at - before)
  }
  return { samples: result, rate: to }
}

export function joined(parts: readonly Int16Array[]): Int16Array {
  const result = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}

/** The sentences between pauses of at least `pauseS`, in order. */
export function sentencesOf({ samples, rate }: Speech, pauseS = 0.9): Speech[] {
  const step = rate / 50
  const found: Speech[] = []
  let start: number | null = null
  let lastLoud = 0
  for (let at = 0; at + step <= samples.length; at += step) {
    if (isLoud(samples.subarray(at, at + step))) {
      start ??= Math.max(0, at - step * 5)
      lastLoud = at + step
    } else if (start !== null && at - lastLoud > pauseS * rate) {
      found.push({ samples: samples.subarray(start, lastLoud + step * 5), rate })
      start = null
    }
  }
  return start === null ? found : [...found, { samples: samples.subarray(start, lastLoud), rate }]
}

export function wavOf({ samples, rate }: Speech): Buffer {
  const header = Buffer.alloc(44)
  const bytes = samples.length * 2
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, bytes)])
}

export function readWav(file: Buffer): Speech {
  let rate = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const chunk = file.toString('latin1', at, at + 4)
    const size = file.readUInt32LE(at + 4)
    if (chunk === 'fmt ') rate = file.readUInt32LE(at + 12)
    if (chunk === 'data') {
      const end = Math.min(at + 8 + size, file.length)
      const samples = new Int16Array((end - at - 8) >> 1)
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = file.readInt16LE(at + 8 + index * 2)
      }
      return { samples, rate }
    }
    at += 8 + size + (size & 1)
  }
  throw new Error('The WAV file has no data')
}
