import { expect, test } from 'vitest'
import { TEAM_SPECS } from '../../core/forms/setting-specs.ts'
import { TEAM_SECTIONS, teamSectionOf } from './team-form.ts'

test('every setting of a team has a section, and every section has a setting', () => {
  const found = new Set(['name', ...Object.keys(TEAM_SPECS)].map(teamSectionOf))
  expect([...found].sort()).toEqual([...TEAM_SECTIONS].sort())
  expect(teamSectionOf('config.output.schema')).toBe('choices')
  expect(teamSectionOf('config.members_keep_own_history')).toBe('memory')
  expect(teamSectionOf('description')).toBe('about')
})
