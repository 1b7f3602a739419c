import { expect, test } from 'vitest'
import { TEAM_SPECS } from '../forms/setting-specs.ts'
import { teamSettingLabel, teamSettingWords } from './team-setting-labels.ts'

test('every setting of a team has words, including those of a managed lead and its models', () => {
  const inItems = (path: string) => /^(members|guardrails)\./.test(path)
  const settings = Object.keys(TEAM_SPECS).filter((path) => !inItems(path))
  expect(settings.length).toBeGreaterThan(40)
  expect(settings.filter((path) => !teamSettingWords(path))).toEqual([])
})

test('a change is called by its setting, or by the nearest one above', () => {
  expect(teamSettingLabel('config.limits.max_seconds')).toBe('Time limit')
  expect(teamSettingLabel('config.members.3.role')).toBe('Role of a member')
  expect(teamSettingLabel('config.lead.managed.model.primary.temperature')).toBe('Temperature')
  expect(teamSettingLabel('config.guardrails.input.0.type')).toBe('Before the model')
  expect(teamSettingLabel('name')).toBe('Name')
  expect(teamSettingLabel('config.later')).toBe('config.later')
})
