/** A sine of 440 Hz, as 16 bits of one channel. */
export function tone(ms: number, rate: number): Buffer {
  const samples = Math.round((rate * ms) / 1_000)
  const pcm = Buffer.alloc(samples * 2)
  for (let at = 0; at < samples; at += 1) {
    pcm.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / rate)), at * 2)
  }
  return pcm
}
