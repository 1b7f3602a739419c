import { expect, test } from 'vitest'
import { AGENT_SPECS } from '../forms/setting-specs.ts'
import { unknownSettings } from '../forms/unknown-settings.ts'
import { agentSettingLabel, agentWordsOf } from './setting-labels.ts'

test('a change is called as its field is, with the part that it belongs to', () => {
  const config = { tools: [{ name: 'orders' }] }
  const label = (path: string) => agentSettingLabel(path, config)
  expect(label('name')).toBe('Name')
  expect(label('config.instructions')).toBe('Instructions')
  expect(label('config.model.primary.temperature')).toBe('Primary: Temperature')
  expect(label('config.model.fallbacks.1.on')).toBe('Fallback 2: Takes over on')
  expect(label('config.tools.0.timeout_ms')).toBe('Tool orders: Time limit')
  expect(label('config.tools.0.approval.field')).toBe('Tool orders: Approval: Argument')
  expect(label('config.tools.0.headers.X-A')).toBe('Tool orders: Headers X-A')
  expect(label('config.tools.1')).toBe('Tool 2')
  expect(label('config.guardrails.output.0.pattern')).toBe('Before the caller, rule 1: Pattern')
  expect(label('config.metadata.team')).toBe('Metadata: team')
  expect(label('config.later.key')).toBe('later.key')
})

test('every setting of the contract has words, except for those of items with their own', () => {
  const without = Object.keys(AGENT_SPECS).filter((path) => !path.includes('*') && !agentWordsOf(path))
  expect(without).toEqual([])
})

test('unknown keys are found at any depth, free keys are not unknown', () => {
  const config = {
    instructions: '',
    voice: { speed: 2 },
    memory: { history: { enabled: true, window: 3 }, notes: [] },
    metadata: { anything: 'x' },
    model: { primary: { provider_options: { a: 1 } }, fallbacks: [] },
  }
  expect(unknownSettings(config, AGENT_SPECS)).toEqual(['voice', 'memory.history.window', 'memory.notes'])
})
