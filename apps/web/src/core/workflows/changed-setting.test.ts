import { expect, test } from 'vitest'
import { fieldTitle, typeTitle, typeWithSetting } from './changed-setting.ts'

test('a setting that a step loses with its previous type has the label of that type', () => {
  const types = ['ai-prompt', 'edit-fields']
  expect(typeWithSetting(types, 'config.rows')).toBe('edit-fields')
  expect(fieldTitle(typeWithSetting(types, 'config.rows'), 'config.rows')).toBe('Fields')
  expect(fieldTitle(typeWithSetting(types, 'config.prompt'), 'config.prompt')).toBe('Prompt')
  expect(typeWithSetting(types, 'config.unknown')).toBe('ai-prompt')
  expect(types.map(typeTitle)).toEqual(['AI Prompt', 'Edit Fields'])
  expect(typeTitle('of-a-later-version')).toBe('of-a-later-version')
})
