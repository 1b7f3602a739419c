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

test('a line without a key is none', () => {
  expect(['eu', '=eu', ' =eu'].map(isMetadataLine)).toEqual([false, false, false])
  expect(metadataOf(['eu'])).toEqual({})
})
