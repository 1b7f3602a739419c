import { expect, test } from 'vitest'
import { AGENT_TEMPLATES } from '../../agents/templates.ts'
import { TEAM_TEMPLATES } from '../../teams/templates.ts'
import { findTemplates } from '../../templates/find-templates.ts'
import { TEMPLATES } from './gallery.ts'

const found = (text: string) => findTemplates(TEMPLATES, text).map(({ id }) => id)

test('a search finds templates by the beginnings of words, in any order and case', () => {
  expect(found('')).toEqual(TEMPLATES.map(({ id }) => id))
  expect(found('INVOICE form')).toEqual(['document-intake'])
  expect(found('sched')).toEqual(['nightly-report'])
  expect(found('loop')).toEqual(['clean-up', 'until-good'])
  expect(found('nothing like this')).toEqual([])
})

test.each([TEMPLATES, AGENT_TEMPLATES, TEAM_TEMPLATES])('ids are unique (%#)', (...templates) => {
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
})
