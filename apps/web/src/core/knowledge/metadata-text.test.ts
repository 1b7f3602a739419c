import { expect, test } from 'vitest'
import { isMetadataLine, metadataOf } from './metadata-text.ts'

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

test('a line without a key is none', () => {
  expect(['eu', '=eu', ' =eu'].map(isMetadataLine)).toEqual([false, false, false])
  expect(metadataOf(['eu'])).toEqual({})
})
