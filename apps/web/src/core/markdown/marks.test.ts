import { expect, test } from 'vitest'
import { markdownMarks } from './marks.ts'

const marked = (text: string) =>
  markdownMarks(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)

test.for<[text: string, marks: string[]]>([
  ['# Who you are', ['heading # Who you are']],
  ['#tag', []],
  ['Be **very** *polite*.', ['strong **very**', 'emphasis *polite*']],
  ['__Never__ _lie_', ['strong __Never__', 'emphasis _lie_']],
  ['snake_case_name and 2 * 3 * 4', []],
  ['Call `search_docs` or ``a ` b``', ['code `search_docs`', 'code ``a ` b``']],
  ['`*no emphasis*` *yes*', ['code `*no emphasis*`', 'emphasis *yes*']],
  ['an open ` and **bold** stay apart', ['strong **bold**']],
  ['- [the page](https://a.test) **now**', ['sign - ', 'link [the page](https://a.test)', 'strong **now**']],
  ['12. second', ['sign 12. ']],
  ['> quoted', ['sign >']],
  ['```\n# code\n```\n# Title', ['code ```', 'code # code', 'code ```', 'heading # Title']],
  ['{{input}} and <b>', []],
])('%s', ([text, marks]) => {
  expect(marked(text)).toEqual(marks)
})

test('marks are in order and inside the text', () => {
  const text = 'a **b `c` d** [e](f)\n\n- *g*\n~~~\nh'
  const marks = markdownMarks(text)
  expect(marks.length).toBeGreaterThan(4)
  expect(marks.map(({ from }) => from)).toEqual(marks.map(({ from }) => from).toSorted((a, b) => a - b))
  expect(marks.every(({ from, to }) => 0 <= from && from < to && to <= text.length)).toBe(true)
})

// Measures time, which depends on other processes.
test.for([
  '`',
  '*',
  '_',
  '**a',
  '[',
  '[a](',
  '`` ` ',
  '*a ',
  '_a`',
  '[x](y',
])('a long line of %s takes time in proportion to its length', { retry: 2 }, (part) => {
  const timeOf = (length: number) => {
    const text = part.repeat(length / part.length)
    const began = performance.now()
    markdownMarks(text)
    return performance.now() - began
  }
  timeOf(50_000)
  const [short, long] = [timeOf(50_000), timeOf(400_000)]
  // Eight times as long; a quadratic reader would take 64 times as long.
  expect(long).toBeLessThan(30 * Math.max(short, 2))
})
