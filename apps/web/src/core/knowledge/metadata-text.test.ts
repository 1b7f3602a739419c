import { expect, test } from 'vitest'
import { isMetadataLine, metadataLines, metadataOf } from './metadata-text.ts'

test('values are texts, numbers and truth values, as they look', () => {
  expect(metadataOf(['region = eu', 'year=2026', 'draft=false', 'note=a=b', 'empty='])).toEqual({
    region: 'eu',
    year: 2026,
    draft: false,
    note: 'a=b',
    empty: '',
  })
})

test('a value that a number would change is a text, and so is one in quotes', () => {
  expect(metadataOf(['plz=01067', 'release=1.10', 'zero=-0', 'year="2026"', 'half=0.5', 'quote="'])).toEqual({
    plz: '01067',
    release: '1.10',
    zero: '-0',
    year: '2026',
    half: 0.5,
    quote: '"',
  })
})

test('a line without a key is ignored', () => {
  expect(['eu', '=eu', ' =eu'].map(isMetadataLine)).toEqual([false, false, false])
  expect(metadataOf(['eu'])).toEqual({})
})

test('stored metadata become lines that parse to the same, and inexpressible values are kept separately', () => {
  const said = {
    region: 'eu',
    year: 2026,
    text: '2026',
    isOld: false,
    none: null,
    plz: '01067',
    note: ' a=b ',
    empty: '',
  }
  const lines = metadataLines(said)
  expect(lines.others).toEqual({})
  expect(metadataOf(lines.lines)).toEqual(said)
  expect(lines.lines).toContain('text="2026"')
  const others = { tags: ['a'], nested: { a: 1 }, 'a=b': 1, ' outer ': 2, lines: 'a\nb' }
  expect(metadataLines(others)).toEqual({ lines: [], others })
})
