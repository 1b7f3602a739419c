import { expect, test } from 'vitest'
import { readTypedJson } from './typed-json.ts'

test('JSON is parsed, and a number that would lose digits is refused with its path', () => {
  expect(readTypedJson('{"a":[1,0.1,1e3]}')).toEqual({ ok: true, value: { a: [1, 0.1, 1000] } })
  expect(readTypedJson('{"a":')).toEqual({ ok: false, fault: null })
  expect(readTypedJson('{"a":[8202522731445525542]}')).toEqual({
    ok: false,
    fault:
      '“a.0” would change from 8202522731445525542 to 8202522731445526000: send a number of so many digits as text.',
  })
})
