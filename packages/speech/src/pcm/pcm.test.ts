import { expect, test } from 'vitest'
import { withoutLeadingSilence } from './pcm.ts'

const RATE = 16_000
const noise = (seconds: number) => Array.from({ length: seconds * RATE }, (_, at) => (at % 2 ? 150 : -150))
const tone = (seconds: number) => Array.from({ length: seconds * RATE }, (_, at) => 8_000 * Math.sin(at / 5))
const cut = (samples: readonly number[]) =>
  withoutLeadingSilence({ samples: Int16Array.from(samples), rate: RATE }).samples.length / RATE

test('the silence before the first sound is omitted but for a hundredth of a second', () => {
  const seconds = cut([...noise(0.25), ...tone(0.5)])
  expect(seconds).toBeGreaterThanOrEqual(0.5)
  expect(seconds).toBeLessThanOrEqual(0.52)
})

test('sound that begins immediately is unchanged, and so is sound shorter than a step', () => {
  expect(cut(tone(0.5))).toBe(0.5)
  expect(cut(tone(0.005))).toBe(0.005)
  expect(cut([])).toBe(0)
})
