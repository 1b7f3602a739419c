import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { settingPlace } from './findings.ts'
import { valueWords } from './value-words.ts'

const wordsOf = (type: string, path: string, value: unknown) =>
  valueWords(settingPlace(NODE_TYPES.get(type)?.schema ?? {}, {}, path)?.schema ?? {}, value)

test('a choice and a switch are shown by their labels, a text unchanged', () => {
  expect(wordsOf('form-trigger', 'auth.mode', 'none')).toBe('Everybody with the link')
  expect(wordsOf('form-trigger', 'botGuard', false)).toBe('Off')
  expect(wordsOf('form-trigger', 'title', 'none')).toBe('none')
  expect(wordsOf('form-trigger', 'auth.mode', null)).toBe('')
})

test('a part of the settings is shown line by line, unknown ones by key', () => {
  expect(wordsOf('form-trigger', 'auth', { mode: 'service-login', username: null })).toBe(
    'Who may open the form: Members, after signing in',
  )
  expect(
    wordsOf('http-request', 'fields', [
      { name: 'a', type: 'boolean' },
      { name: 'b', size: 3 },
    ]),
  ).toBe('Name: a\nType: True or false\n\nName: b\nsize: 3')
})
