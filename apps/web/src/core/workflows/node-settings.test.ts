import { NODE_DEFINITIONS, NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { type Setting, settingsOf } from './node-settings.ts'

const settings = (type: string, config: Record<string, unknown>) =>
  settingsOf(NODE_TYPES.get(type)?.schema ?? {}, config)
const find = (all: readonly Setting[], title: string) => all.find((setting) => setting.title === title)

test('every node type is readable without a stored setting, and every setting has a title', () => {
  for (const { type, schema } of NODE_DEFINITIONS) {
    const all = settingsOf(schema, {})
    expect(
      all.every(({ title }) => /^[A-Z]/.test(title)),
      type,
    ).toBe(true)
  }
})

test('only settings of the chosen mode are shown, defaults are marked', () => {
  const all = settings('recurrence', { mode: 'cron', cron: '0 9 * * *' })
  expect(find(all, 'Cron pattern')?.value).toEqual({ kind: 'text', text: '0 9 * * *' })
  expect(find(all, 'Every')).toBeUndefined()
  expect(find(all, 'Time zone')).toMatchObject({ isDefault: true, value: { text: 'UTC' } })
})

test('a choice is read by the title that its form shows', () => {
  const [access] = settings('form-trigger', { auth: { mode: 'none' } }).filter(({ path }) => path === 'auth')
  expect(access?.value).toMatchObject({ settings: [{ value: { text: 'Everybody with the link' } }] })
})

test('rows are read one by one, conditions in words, resources by their id', () => {
  expect(settings('edit-fields', { rows: [{ name: 'pay', value: 3 }] })[0]?.value).toMatchObject({
    kind: 'list',
    items: [
      [
        { title: expect.any(String), value: { text: 'pay' } },
        { path: 'rows.0.value', value: { text: '3' } },
      ],
    ],
  })
  const choice = settings('if-else', { conditions: [{ left: '{{ trigger.n }}', op: 'lte', right: 50 }] })
  expect(find(choice, 'Conditions')?.value).toEqual({
    kind: 'lines',
    lines: ['{{ trigger.n }} is at most 50'],
  })
  const asked = settings('ai-agent', { agentId: 'a1', message: 'Hi' })
  expect(find(asked, 'Agent')?.value).toEqual({ kind: 'resource', resource: 'agent', id: 'a1' })
})

test('a model is read by its configuration and its id, and its other settings as JSON', () => {
  const model = { primary: { llm_config_id: 'c1', model_id: 'm1' }, mid_stream: 'fail' }
  expect(find(settings('ai-prompt', { model }), 'Model')?.value).toEqual({
    kind: 'model',
    links: [{ configurationId: 'c1', modelId: 'm1' }],
    rest: '{\n  "mid_stream": "fail"\n}',
  })
  expect(find(settings('ai-prompt', {}), 'Model')?.value).toEqual({ kind: 'none' })
})

test('settings unknown to the type remain visible', () => {
  const all = settings('manual-trigger', { color: 'red' })
  expect(all.at(-1)).toMatchObject({
    title: 'Other settings',
    value: { kind: 'json', text: '{\n  "color": "red"\n}' },
  })
})
