import { expect, test } from 'vitest'
import { hasHiddenCharacter, visibleControls, withVisibleCharacters } from './hidden-characters.ts'

test('characters that turn a text around are shown by their code', () => {
  expect(visibleControls('a\u202Eb')).toEqual(['a', { code: 'U+202E' }, 'b'])
  expect(visibleControls('plain, ümläut, שלום')).toEqual(['plain, ümläut, שלום'])
})

test('a name with direction overrides is shown as it is stored, and others are unchanged', () => {
  expect(withVisibleCharacters('invoice\u202Efdp.exe')).toBe('invoice[U+202E]fdp.exe')
  expect(withVisibleCharacters('שלום 👩‍💻')).toBe('שלום 👩‍💻')
  expect(hasHiddenCharacter('👩‍💻')).toBe(false)
})
