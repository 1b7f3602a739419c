import { expect, test } from 'vitest'
import { markdown } from './markdown.ts'

test.for<[string, string]>([
  ['see https://a.example/x?y=1.', 'see <a href="https://a.example/x?y=1" rel="noreferrer nofollow">https://a.example/x?y=1</a>.'],
  ['(http://a.example/)', '(<a href="http://a.example/" rel="noreferrer nofollow">http://a.example/</a>)'],
  ['[a https://b.example](https://a.example)', '<a href="https://a.example" rel="noreferrer nofollow">a https://b.example</a>'],
  ['`https://a.example`', '<code>https://a.example</code>'],
  ['https:// and xhttps://a.example', 'https:// and xhttps://a.example'],
  ['https://a.example"onclick=', '<a href="https://a.example" rel="noreferrer nofollow">https://a.example</a>&quot;onclick='],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
])('%s becomes %s', ([text, shown]) => {
  expect(markdown(text).text.trim()).toBe(`<p>${shown}</p>`)
}) // biome-ignore format: one row for each

test.for([
  'http://a.b/(',
  '[',
  '![',
  '[a](',
  '[a][',
  '**a ',
  '*_',
  '- a\n',
  '> ',
  '|a|\n|-|\n',
  '[x]: <a\n',
  '<',
  // Measures CPU time, which also varies on a busy machine.
])('200 KB of %s cost at most 300 ms', { retry: 2 }, (unit) => {
  for (const size of [19_000, 200_000]) {
    const text = unit.repeat(size / unit.length)
    // 40 ms on an idle machine. The minimum of several: a busy machine also slows the processor down.
    const spentMs = Array.from({ length: 4 }, () => {
      const before = process.threadCpuUsage()
      markdown(text)
      return process.threadCpuUsage(before).user / 1_000
    })
    expect(Math.min(...spentMs)).toBeLessThan(300)
  }
})

test('a text that is too long for Markdown is shown as it is written', () => {
  expect(markdown(`<b>${'x'.repeat(20_000)}`).text).toMatch(/^<pre class="written">&lt;b&gt;xxx/)
})
