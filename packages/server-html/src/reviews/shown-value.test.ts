import { expect, test } from 'vitest'
import { shownValue } from './shown-value.ts'

test.for<[unknown, string]>([
  ['<b>', '<span class="text">&lt;b&gt;</span>'],
  [null, '–'],
  [true, 'Yes'],
  [7, '7'],
  [{ a: [1] }, '<pre tabindex="0">{\n  &quot;a&quot;: [\n    1\n  ]\n}</pre>'],
])('%j is shown as %s', ([value, shown]) => {
  expect(shownValue(value).text).toBe(shown)
})

test('a long value in many lists is shown whole, without a line for each part', () => {
  const list: unknown = Array.from({ length: 300_000 }, () => 1)
  const deep = Array.from({ length: 60 }).reduce((inner) => [inner], list)
  const { text } = shownValue(deep)
  expect(text).toContain('1,1,1')
  expect(text.length).toBeLessThan(1_000_000)
})
