import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentProperties, contrast } from './accent.ts'

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

test('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#6a3fd1', '#6a3fd1')).toBe(1)
})

test('links and buttons are readable in both themes, for every accent', () => {
  fc.assert(
    fc.property(color, (accent) => {
      const of = accentProperties(accent)
      expect(contrast(of['--accent-light'] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of['--accent-dark'] ?? '', '#17161c')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of['--on-accent-light'] ?? '', of['--accent-light'] ?? '')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of['--on-accent-dark'] ?? '', of['--accent-dark'] ?? '')).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 500 },
  )
})

test('a readable accent is not changed', () => {
  expect(accentProperties('#6a3fd1')['--accent-light']).toBe('#6a3fd1')
  expect(accentProperties('#b79cff')['--accent-dark']).toBe('#b79cff')
})
