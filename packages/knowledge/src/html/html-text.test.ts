import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlText } from './html-text.ts'

const textOf = (html: string) => [...htmlText(html)].join('').trim()

test('tags, scripts and comments are left out, and headings are marked', () => {
  const html = `<html><head><title>No</title></head><body><h2 class="x">Refunds</h2><!-- a > b -->
    <p>They take <b>14</b>&nbsp;days &amp; more.</p><script>if (a < b) alert(1)</script>Line<br>break if 1 < 2</body></html>`
  expect(textOf(html)).toBe('## Refunds\n\n \n\nThey take 14 days & more.\n\nLine\nbreak if 1 < 2')
})

test('what is not an entity stays, and numbers are decoded', () => {
  expect(textOf('AT&T &unknown; &#8364;&#x20AC; &#99999999; &')).toBe('AT&T &unknown; €€ &#99999999; &')
})

test('text without tags keeps its words, and any text comes to an end', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 50 }), (text) => {
      expect(textOf(text)).toBe(text)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      textOf(text)
    }),
  )
  expect(textOf('<p unclosed')).toBe('')
  expect(textOf('<script>never closed')).toBe('')
})
