import { AGENT_CONFIG_DEFAULTS } from '@troupe/contract'
import { expect, test } from 'vitest'
import { AGENT_SPECS } from '../../../core/forms/setting-specs.ts'
import { EDITOR_SECTIONS, placeOfSetting, sectionOf } from './editor-sections.ts'
import { sectionSummary } from './section-summary.ts'

test('every setting of the contract has its section, unknown ones are advanced', () => {
  expect(Object.keys(AGENT_SPECS).filter((path) => sectionOf(path) === 'advanced')).toEqual([])
  expect(sectionOf('execution.output.schema')).toBe('answer')
  expect(sectionOf('execution.budget.max_cost_usd')).toBe('limits')
  expect(sectionOf('model.primary.seed')).toBeNull()
  expect(sectionOf('modelling')).toBe('advanced')
})

test('a closed section summarizes its content', () => {
  const config = { ...AGENT_CONFIG_DEFAULTS }
  expect(EDITOR_SECTIONS.map((id) => sectionSummary(id, config))).toEqual([
    'None',
    'None',
    'None',
    'Conversation, summary',
    'None',
    'Text',
    '20 steps, 10 min',
    'Messages are kept',
    'The configuration as JSON',
  ])
  const withTools = { ...config, tools: [{ type: 'http', approval: 'always' }, { type: 'code' }], later: 1 }
  expect(sectionSummary('tools', withTools)).toBe('2 tools, 1 with approval')
  expect(sectionSummary('advanced', withTools)).toBe('1 unknown setting')
})

test('every setting has a place in the list of sections', () => {
  expect(placeOfSetting('name')).toBe('identity')
  expect(placeOfSetting('description')).toBe('identity')
  expect(placeOfSetting('model.primary.seed')).toBe('model')
  expect(placeOfSetting('instructions')).toBe('instructions')
  expect(placeOfSetting('prompt.add_datetime')).toBe('instructions')
  expect(placeOfSetting('memory.history.enabled')).toBe('memory')
  expect(placeOfSetting('modelling')).toBe('advanced')
})
