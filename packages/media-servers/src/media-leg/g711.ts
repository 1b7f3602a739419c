/** G.711 µ-law, the codec of telephone lines: one byte for each sample of 8 kHz. */

const BIAS = 132
const CLIP = 32_635

/** The sample of each byte. */
const DECODED = Int16Array.from({ length: 256 }, (_, byte) => {
  const inverted = ~byte & 0xff
  const magnitude = ((((inverted & 0x0f) << 3) + BIAS) << ((inverted >> 4) & 0x07)) - BIAS
  return (inverted & 0x80) === 0 ? magnitude : -magnitude
})

export function decodeMulaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (byte) => DECODED[byte] ?? 0)
}

export function encodeMulaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, encodeSample)
}

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const value = Math.min(Math.abs(sample), CLIP) + BIAS
  let exponent = 7
  for (let mask = 0x4000; exponent > 0 && (value & mask) === 0; mask >>= 1) exponent -= 1
  return ~(sign | (exponent << 4) | ((value >> (exponent + 3)) & 0x0f)) & 0xff
}
