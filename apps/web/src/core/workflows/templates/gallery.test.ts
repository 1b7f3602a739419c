import { expect, test } from 'vitest'
import { findTemplates, TEMPLATES } from './gallery.ts'

const found = (text: string) => findTemplates(text).map(({ id }) => id)

test('a search finds templates by the beginnings of words, in any order and case', () => {
  expect(found('')).toEqual(TEMPLATES.map(({ id }) => id))
  expect(found('INVOICE form')).toEqual(['document-intake'])
  expect(found('sched')).toEqual(['nightly-report'])
  expect(found('loop')).toEqual(['clean-up', 'until-good'])
  expect(found('nothing like this')).toEqual([])
})

test('ids are unique', () => {
  expect(new Set(TEMPLATES.map(({ id }) => id)).size).toBe(TEMPLATES.length)
})
