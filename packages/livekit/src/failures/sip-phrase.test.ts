import { expect, test } from 'vitest'
import { sipPhrase } from './sip-phrase.ts'

test.for([
  ['Busy Here', 'Busy Here'],
  ['Call is not permitted.', 'Call is not permitted.'],
  ['line\r\nbreak\tand\u0000nul', 'line break and nul'],
  ['No route via sbc1.carrier.example for you', 'No route via for you'],
  ['Rejected by 192.0.2.10:5060', 'Rejected by'],
  ['user@host sip:100@pbx username="u" https://help', ''],
  ['  spaces   collapse ', 'spaces collapse'],
  ['', ''],
])('%j becomes %j', ([phrase, cleaned]) => {
  expect(sipPhrase(phrase ?? '')).toBe(cleaned)
})

test('a phrase has at most 120 characters', () => {
  expect(sipPhrase('word '.repeat(1_000))).toHaveLength(119)
  expect(sipPhrase('x'.repeat(100_000))).toHaveLength(120)
})
