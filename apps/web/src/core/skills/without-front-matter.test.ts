import { expect, test } from 'vitest'
import { withoutFrontMatter } from './without-front-matter.ts'

test('the front matter of a Markdown text is left out, rules between its paragraphs are not', () => {
  expect(withoutFrontMatter('---\nname: refunds\n---\n\n# Refunds\n\n---\n\nEnd')).toBe(
    '# Refunds\n\n---\n\nEnd',
  )
  expect(withoutFrontMatter('---\r\nname: a\r\n---\r\nText')).toBe('Text')
  expect(withoutFrontMatter('# Rules\n\n---\n\nMore\n\n---\n')).toBe('# Rules\n\n---\n\nMore\n\n---\n')
  expect(withoutFrontMatter('---\nnever ends')).toBe('---\nnever ends')
})
