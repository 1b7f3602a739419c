/** Mono 16-bit samples. */
export interface Pcm {
  samples: Int16Array
  /** Samples per second. */
  rate: number
}

const LOUD = 200
const STEPS_PER_SECOND = 100

/** Removes the silence before the first sound: speech engines begin with up to 250 ms, for which a listener waits. */
export function withoutLeadingSilence({ samples, rate }: Pcm): Pcm {
  const step = Math.floor(rate / STEPS_PER_SECOND)
  let at = 0
  while (at + step < samples.length && loudness(samples.subarray(at, at + step)) <= LOUD) at += step
  return { samples: samples.subarray(Math.max(0, at - step)), rate }
}

/** Converts little-endian bytes to samples. */
export function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / 2))
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2)
  return samples
}

/** The root mean square of samples; 0 for none. */
function loudness(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, samples.length))
}
