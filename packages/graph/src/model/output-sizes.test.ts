import { jsonBytes } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outputFault } from './output-sizes.ts'

test('the size of a value is that of its JSON in UTF-8', () => {
  const json = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => JSON.stringify(value).isWellFormed())
  fc.assert(
    fc.property(json, (value) => {
      expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(JSON.parse(JSON.stringify(value)))))
    }),
    { numRuns: 300 },
  )
  expect(jsonBytes({ a: [1, 'ü€😀\n\u0001"\\', null, true, false, {}, [], -0.5] })).toBe(
    Buffer.byteLength(JSON.stringify({ a: [1, 'ü€😀\n\u0001"\\', null, true, false, {}, [], -0.5] })),
  )
})

test('an output of more than 4 MB names its size and the limit', () => {
  expect(outputFault(jsonBytes('x'.repeat(4 * 1024 * 1024 - 2)))).toBe(null)
  expect(outputFault(5_000_000)).toBe('the output is 4.8 MB, more than the 4 MB of a node')
})
