import { KNOWLEDGE_LANGUAGES } from '@troupe/contract'
import { expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'

test('the languages are those of the contract, whose schemas are not in the pages', () => {
  expect(LANGUAGES).toEqual(KNOWLEDGE_LANGUAGES)
})
