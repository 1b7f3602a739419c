import { changesBetween } from '@troupe/editor/values/config-content'
import { expect, test } from 'vitest'
import { changeLabel, conflictLabel } from './change-label.ts'
import { agentSettingLabel } from './setting-labels.ts'
import { teamSettingLabel } from './team-setting-labels.ts'
import { voiceSettingLabel } from './voice-setting-label.ts'

const orders = { type: 'http', name: 'orders' }
const calculator = { type: 'builtin', builtin: 'calculator' }
const pii = { type: 'pii', action: 'flag' }

function labels(before: object, after: object): string[] {
  const config = { config: after }
  return changesBetween({ config: before }, config).map((change) =>
    changeLabel(change, (path, item) => agentSettingLabel(path, after, item)),
  )
}

test('an item of a list is called by its name, including a removed one', () => {
  expect(labels({ tools: [orders] }, { tools: [calculator] })).toEqual([
    'Tool orders: removed',
    'Tool calculator: added',
  ])
  expect(labels({ guardrails: { input: [] } }, { guardrails: { input: [pii] } })).toEqual([
    'Before the model, Personal data: added',
  ])
  expect(labels({ skills: [] }, { skills: [{ skill_id: 's' }] })).toEqual(['Skills, number 1: added'])
  const model = (...ids: string[]) => ({ model: { fallbacks: ids.map((id) => ({ model_id: id })) } })
  expect(labels(model('a'), model('a', 'b'))).toEqual(['Fallback 2: added'])
  expect(labels({ tools: [orders, calculator] }, { tools: [calculator, orders] })).toEqual(['Tools: order'])
})

test('members and fallbacks of a voice are called as the form calls them', () => {
  const added = (path: string) => ({ path, kind: 'added' as const, before: undefined, after: {} })
  expect(changeLabel(added('config.members.1'), teamSettingLabel)).toBe('Member: added')
  expect(changeLabel({ ...added('config.members'), kind: 'order' }, teamSettingLabel)).toBe('Members: order')
  expect(changeLabel(added('config.settings.tts.fallbacks.0'), voiceSettingLabel)).toBe(
    'Speaking: Fallback 1: added',
  )
})

test('a conflict is called by its setting, its item or its list', () => {
  const conflict = { id: '', path: 'config.tools.4', base: orders, mine: undefined, theirs: orders }
  const label = (path: string, item?: unknown) => agentSettingLabel(path, { tools: [calculator] }, item)
  expect(conflictLabel({ ...conflict, kind: 'item' }, label)).toBe('Tool orders')
  expect(conflictLabel({ ...conflict, path: 'config.tools', kind: 'order' }, label)).toBe('Tools: order')
  expect(conflictLabel({ ...conflict, path: 'config.tools.0.timeout_ms' }, label)).toBe(
    'Tool calculator: Time limit',
  )
})
