import { expect, test } from 'vitest'
import { validator } from '../validation/validator.ts'
import { CreateTeamBody, UpdateTeamBody } from './team.ts'

const told = (check: ReturnType<typeof validator>, value: unknown) => {
  const checked = check(value)
  return checked.ok ? [] : checked.errors.map(({ path, message }) => `${path} ${message}`)
}

test.for([
  ['a new team', validator(CreateTeamBody)],
  ['an update', validator(UpdateTeamBody)],
] as const)('the name of %s has 1 to 128 characters', ([_, check]) => {
  const named = (name: string) => told(check, { name, config: {} })
  expect(named('x')).toEqual([])
  expect(named('x'.repeat(128))).toEqual([])
  expect(named('')).toEqual(['name must not be empty'])
  expect(named('x'.repeat(129))).toEqual(['name must have at most 128 characters'])
})

test('a new team has a configuration, and an update may have anything or nothing', () => {
  expect(told(validator(CreateTeamBody), { name: 'x' })).toEqual(['config is required'])
  expect(told(validator(UpdateTeamBody), { description: null })).toEqual([])
})
