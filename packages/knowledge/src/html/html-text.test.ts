import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlText } from './html-text.ts'

const textOf = (html: string) => [...htmlText(html)].join('').trim()

test('tags, scripts and comments are omitted, and headings are marked', () => {
  const html = `<html><head><title>No</title></head><body><h2 class="x">Refunds</h2><!-- a > b -->
    <p>They take <b>14</b>&nbsp;days &amp; more.</p><script>if (a < b) alert(1)</script>Line<br>break if 1 < 2</body></html>`
  expect(textOf(html)).toBe('## Refunds\n\nThey take 14 days & more.\n\nLine\nbreak if 1 < 2')
})

test('text that is not an entity is unchanged, and numeric entities are decoded', () => {
  expect(textOf('AT&T &unknown; &#8364;&#x20AC; &hellip; &')).toBe('AT&T &unknown; €€ … &')
})

test('text without tags keeps its words, and the parser ends for any text', () => {
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

test.for([
  [
    'a head without its end',
    '<html><head><title>T</title><meta charset=utf-8><p>All of the page',
    'All of the page',
  ],
  ['named entities', '<p>caf&eacute; &ndash; 5&nbsp;&euro; &alpha;', 'café – 5 € α'],
  [
    'a row of a table is a line',
    '<table><tr><th>Region<th>Units<tr><td><p>EU</p><td>12<br>pieces</table>After',
    'Region\tUnits\nEU\t12 pieces\n\nAfter',
  ],
  ['a list', '<ul><li>One<li>Two <b>bold</b></ul>', '- One\n- Two bold'],
  [
    'hidden parts and fields',
    '<p>Seen<p hidden>No</p><select><option>No</select><textarea>No</textarea><p>Too',
    'Seen\n\nToo',
  ],
  ['the text of a picture', '<p>See <img src=a.png alt="the map"> here', 'See the map here'],
  ['preformatted lines', '<pre>a\n  b</pre>', 'a\n  b'],
] as const)('%s', ([, html, text]) => {
  expect(textOf(html)).toBe(text)
})
