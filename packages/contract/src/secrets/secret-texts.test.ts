import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactJsonWebTokens } from './json-web-tokens.ts'
import { redactText } from './secret-texts.ts'

const JWT = /\b()eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g

test('tokens of three parts are found as one regular expression finds them', () => {
  const piece = fc.constantFrom(
    'eyJ',
    'aaaaaaaa',
    '.',
    '-',
    ' ',
    'eyJaaaaaaaa',
    'eyJaaaaaaaa.eyJbbbbbbbb',
    'é',
    '_',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      expect(redactJsonWebTokens(text, '*')).toBe(text.replace(JWT, '*'))
    }),
    { numRuns: 2_000 },
  )
})

test('near misses of a token do not block the process', () => {
  const started = process.threadCpuUsage()
  redactText('eyJ-'.repeat(17_000), [])
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
})
