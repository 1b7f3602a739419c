import { expect, test } from 'vitest'
import { hostOf, isShortMarkdown, markdownBlocks, safeHref } from './markdown-blocks.ts'

const types = (text: string) => markdownBlocks(text).map((tokens) => tokens[0]?.type)

test('a text is split into its top-level blocks', () => {
  expect(types('# One\n\ntwo\n\n- a\n- b\n\n```js\nthree\n```')).toEqual([
    'heading_open',
    'paragraph_open',
    'bullet_list_open',
    'fence',
  ])
})

test('HTML and images are text', () => {
  const tokens = markdownBlocks('<img src=x onerror=alert(1)> ![x](http://evil.test/p.png)').flat()
  const inline = tokens.flatMap(({ children }) => children ?? [])
  expect([...tokens, ...inline].map(({ type }) => type)).not.toContain('html_inline')
  expect(inline.map(({ type }) => type)).not.toContain('image')
})

test.for([
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//host',
  'relative',
  '',
])('the address "%s" is not a link', (href) => {
  expect(safeHref(href)).toBeNull()
})

test('links show their targets', () => {
  expect(safeHref('https://a.test/x')).toBe('https://a.test/x')
  expect([hostOf('https://a.test:81/x'), hostOf('mailto:a@b.test')]).toEqual(['a.test:81', 'a@b.test'])
})

test('texts with slow Markdown are shown unformatted, prose of the same length is not', () => {
  expect(isShortMarkdown('A word after another. '.repeat(4_000))).toBe(true)
  for (const mark of ['[', '- a\n', '|a|b|\n', '\u200b'])
    expect(isShortMarkdown(mark.repeat(10_000))).toBe(false)
})
