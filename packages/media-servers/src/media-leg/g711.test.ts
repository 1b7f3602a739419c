import { expect, test } from 'vitest'
import { decodeMulaw, encodeMulaw } from './g711.ts'

test('the codes of the standard decode to its values', () => {
  // ITU-T G.711, table 2b: the ends, the steps around zero, and one of each sign between.
  expect([...decodeMulaw(Uint8Array.of(0x80, 0x00, 0xff, 0x7f, 0xfe, 0x7e, 0xc0, 0x40))]).toEqual([
    32124, -32124, 0, 0, 8, -8, 1884, -1884,
  ])
})

test('every code but negative zero survives a round trip', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
  const again = encodeMulaw(decodeMulaw(codes))
  expect([...again].filter((code, index) => code !== index)).toEqual([0xff])
})

test('a sample is off by at most a thirtieth of its size, or four', () => {
  const samples = Int16Array.from({ length: 65 }, (_, index) => (index - 32) * 1_000)
  const decoded = decodeMulaw(encodeMulaw(samples))
  for (const [index, sample] of samples.entries()) {
    expect(Math.abs((decoded[index] ?? 0) - sample)).toBeLessThanOrEqual(Math.max(4, Math.abs(sample) / 30))
  }
})

test('samples beyond the range of the codec are clipped', () => {
  expect([...encodeMulaw(Int16Array.of(32_767, -32_768))]).toEqual([0x80, 0x00])
})
