import { expect, test } from 'vitest'
import { visibleControls } from './visible-controls.ts'

test('characters that turn a text around are shown by their code', () => {
  expect(visibleControls('a\u202Eb')).toEqual(['a', { code: 'U+202E' }, 'b'])
  expect(visibleControls('plain, ümläut, שלום')).toEqual(['plain, ümläut, שלום'])
})
