import { expect, test } from 'vitest'
import { loudness, readWav, resampled, sentencesOf, trimmed, wavOf } from './audio.ts'

const RATE = 16_000
const tone = (seconds: number, level = 8_000) =>
  Int16Array.from({ length: RATE * seconds }, (_, index) => Math.round(Math.sin(index / 6) * level))
const silence = (seconds: number) => new Int16Array(RATE * seconds)
const parts = (...all: Int16Array[]) => ({
  samples: Int16Array.from(all.flatMap((part) => [...part])),
  rate: RATE,
})

test('a WAV file holds the same speech', () => {
  const speech = parts(tone(0.1))
  expect(readWav(wavOf(speech))).toEqual(speech)
})

test('silence at both ends is cut, and between words it stays', () => {
  const { samples } = trimmed(parts(silence(0.5), tone(0.2), silence(0.3), tone(0.2), silence(0.5)))
  expect(samples.length / RATE).toBeCloseTo(0.7, 1)
})

test('a resampled speech has the same length and loudness', () => {
  const speech = parts(tone(0.5))
  const { samples, rate } = resampled(speech, 8_000)
  expect(rate).toBe(8_000)
  expect(samples.length).toBe(4_000)
  expect(loudness(samples) / loudness(speech.samples)).toBeCloseTo(1, 1)
})

test('sentences are separated by long pauses', () => {
  const spoken = parts(silence(1), tone(0.5), silence(0.4), tone(0.5), silence(1.2), tone(0.3), silence(2))
  const lengths = sentencesOf(spoken).map(({ samples }) => samples.length / RATE)
  expect(lengths).toHaveLength(2)
  expect(lengths[0]).toBeCloseTo(1.6, 1)
  expect(lengths[1]).toBeCloseTo(0.5, 1)
  expect(sentencesOf(parts(silence(2)))).toEqual([])
})
