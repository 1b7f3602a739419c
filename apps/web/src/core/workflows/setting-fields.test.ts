import { NODE_DEFINITIONS, NODE_TYPES } from '@troupe/nodes/definitions'
import { describe, expect, test } from 'vitest'
import { workflowWords } from '../messages/en/lists.ts'
import { STEP_TYPE_TITLES } from '../messages/en/workflows/step-types.ts'
import { fittingValues, unknownKeys } from './node-schema.ts'
import { settingFields } from './setting-fields.ts'

const controls = (type: string, config: Record<string, unknown> = {}) =>
  Object.fromEntries(
    settingFields(NODE_TYPES.get(type)?.schema ?? {}, config).map(({ name, control }) => [
      name,
      control.kind,
    ]),
  )

test('a trigger is called the same in lists as where it is edited', () => {
  const titles = NODE_DEFINITIONS.filter(({ role }) => role === 'trigger').map(({ type, title }) => [
    type,
    title,
  ])
  expect(Object.fromEntries(titles)).toEqual(workflowWords.triggerNames)
})

test('a step of a trace is called as in its workflow', () => {
  expect(STEP_TYPE_TITLES).toEqual(
    Object.fromEntries(NODE_DEFINITIONS.map(({ type, title }) => [type, title])),
  )
})

test('every node type has a field for each setting, none a JSON box that has a type', () => {
  const asJson = NODE_DEFINITIONS.flatMap(({ type, schema }) =>
    settingFields(schema, {}).flatMap(({ name, control }) =>
      control.kind === 'json' ? [`${type}.${name}`] : [],
    ),
  )
  expect(asJson).toEqual(['manual-trigger.sample', 'http-request.sample', 'ai-agent.toolContext'])
})

test('the control follows the hint of the definition, then the type', () => {
  expect(controls('ai-agent')).toMatchObject({ agentId: 'resource', message: 'text-area', retries: 'number' })
  expect(controls('classify')).toMatchObject({ classes: 'list', includeOther: 'switch' })
  expect(controls('human-review')).toMatchObject({ reviewers: 'group', timeout: 'group' })
  expect(controls('if-else')).toMatchObject({ match: 'choice', conditions: 'conditions' })
  expect(controls('form-trigger')).toMatchObject({ embedOrigins: 'tags', theme: 'group' })
})

test('a field says whether it takes tokens; a value that is used as it is does not', () => {
  const rows = settingFields(NODE_TYPES.get('edit-fields')?.schema ?? {}, {}).find(
    ({ name }) => name === 'rows',
  )?.control
  const takes = (schema: object, config: object) =>
    settingFields(schema, { ...config }).flatMap(({ name, takesTokens }) => (takesTokens ? [name] : []))
  expect(takes(NODE_TYPES.get('ai-prompt')?.schema ?? {}, {})).toEqual(['system', 'prompt'])
  const item = rows?.kind === 'list' ? rows.item : {}
  expect([takes(item, {}), takes(item, { mode: 'fixed' })]).toEqual([['value'], []])
})

test('a choice is offered by its title', () => {
  const access = settingFields(NODE_TYPES.get('form-trigger')?.schema ?? {}, {}).find(
    ({ name }) => name === 'auth',
  )?.control
  const [mode] = settingFields(access?.kind === 'group' ? access.schema : {}, {})
  expect(mode?.control).toMatchObject({
    choices: [{ id: 'none', label: 'Everybody with the link' }, { id: 'basic' }, { id: 'service-login' }],
  })
})

test('a condition of a Loop is a group with its rows, and what may be absent can be taken away', () => {
  const fieldOf = (type: string, name: string, config: Record<string, unknown> = {}) =>
    settingFields(NODE_TYPES.get(type)?.schema ?? {}, config).find((field) => field.name === name)
  expect(fieldOf('loop', 'condition', { mode: 'while' })?.control).toMatchObject({
    kind: 'group',
    isOptional: false,
  })
  expect(fieldOf('human-review', 'timeout')?.control).toMatchObject({ kind: 'group', isOptional: true })
  expect(fieldOf('form-trigger', 'redirectUrl')).toMatchObject({ isNullable: true })
  expect(fieldOf('ai-agent', 'retries')).toMatchObject({
    stored: null,
    isNullable: false,
    fallback: expect.any(Number),
  })
})

test('fields of another mode are left out, and a value that is no text stays JSON', () => {
  expect(Object.keys(controls('recurrence', { mode: 'interval' }))).toEqual([
    'mode',
    'every',
    'unit',
    'timezone',
    'overlap',
    'catchUp',
  ])
  expect(controls('loop', { mode: 'list', source: [1, 2] })).toMatchObject({ source: 'json' })
  expect(unknownKeys(NODE_TYPES.get('manual-trigger')?.schema ?? {}, { color: 'red' })).toEqual(['color'])
})

test('a number that a token may stand for is one, in a Loop and in what is added to a variable', () => {
  const rowOf = (type: string, list: string, row: Record<string, unknown>) => {
    const fields = settingFields(NODE_TYPES.get(type)?.schema ?? {}, {})
    const control = fields.find(({ name }) => name === list)?.control
    const item = control?.kind === 'list' ? control.item : {}
    return settingFields(item, row).find(({ name }) => name === 'value')?.control
  }
  const [number, boolean] = [
    { kind: 'literal', literal: 'number' },
    { kind: 'literal', literal: 'boolean' },
  ]
  expect(controls('loop', { mode: 'count', count: 3 })).toMatchObject({ count: 'literal' })
  expect(controls('loop', { mode: 'count', count: [3] })).toMatchObject({ count: 'json' })
  expect(rowOf('variable', 'rows', { op: 'increment', value: 1 })).toEqual(number)
  expect(rowOf('variable', 'rows', { value: 'x' })).toEqual({ kind: 'typed-value' })
  expect(rowOf('edit-fields', 'rows', { value: [5] })).toEqual({ kind: 'typed-value' })
  expect(rowOf('human-review', 'fields', { type: 'number' })).toEqual(number)
  expect(rowOf('human-review', 'fields', { type: 'boolean', value: true })).toEqual(boolean)
  expect(rowOf('human-review', 'fields', { type: 'text' })).toEqual({ kind: 'text' })
})

const SCHEMAS = {
  number: { properties: { min: { type: ['number', 'null'] }, step: { type: ['number', 'null'] } } },
  date: { properties: { min: { type: ['string', 'null'] } } },
}

describe('the fields of a form question', () => {
  const fields = settingFields(NODE_TYPES.get('form-trigger')?.schema ?? {}, {})
  const control = fields.find(({ name }) => name === 'fields')?.control
  const item = control?.kind === 'list' ? control.item : {}
  const shown = (question: Record<string, unknown>) =>
    Object.fromEntries(settingFields(item, question).map(({ name, control: { kind } }) => [name, kind]))

  test('are those of its type, among them its options and its limits', () => {
    expect(shown({})).not.toHaveProperty('options')
    expect(shown({ type: 'dropdown' })).toMatchObject({ options: 'lines', defaultValue: 'text' })
    expect(shown({ type: 'checkboxes' })).toMatchObject({ options: 'lines', min: 'number', max: 'number' })
    expect(shown({ type: 'date' })).toMatchObject({ min: 'text', max: 'text' })
    expect(shown({ type: 'file' })).toMatchObject({ accept: 'text', multiple: 'switch' })
    expect(shown({ type: 'textarea' })).toMatchObject({ minLength: 'number', pattern: 'text' })
  })

  test('have a list as the default of boxes, and JSON for options whose value is not their label', () => {
    expect(shown({ type: 'checkboxes', defaultValue: ['a'] })).toMatchObject({ defaultValue: 'lines' })
    const options = [{ value: 'a', label: 'The first' }]
    expect(shown({ type: 'radio', options })).toMatchObject({ options: 'json' })
  })

  test('do not make the keys of another type strange, which are kept for it', () => {
    expect(unknownKeys(item, { type: 'text', options: ['a'], color: 'red' })).toEqual(['color'])
  })
})

describe('another type of question', () => {
  const schema = { properties: { label: { type: 'string' } }, variants: { key: 'type', schemas: SCHEMAS } }

  test('leaves out what its fields could not show, and keeps the rest', () => {
    const former = { type: 'number', label: 'When?', min: '2026-01-01', step: 2, color: 'red' }
    expect(fittingValues(schema, former, 'type')).toEqual({
      type: 'number',
      label: 'When?',
      step: 2,
      color: 'red',
    })
    expect(fittingValues(schema, { ...former, type: 'date' }, 'type')).toMatchObject({
      min: '2026-01-01',
      step: 2,
    })
  })

  test('is one only when the key changes that decides the type', () => {
    const former = { type: 'number', min: '2026-01-01' }
    expect(fittingValues(schema, former, 'min')).toBe(former)
  })
})

test('reviewers are people by name or roles, whichever decide', () => {
  const reviewers = settingFields(NODE_TYPES.get('human-review')?.schema ?? {}, {}).find(
    ({ name }) => name === 'reviewers',
  )?.control
  const schema = reviewers?.kind === 'group' ? reviewers.schema : {}
  const shown = (kind: string) => settingFields(schema, { kind }).map(({ control }) => control.kind)
  expect([shown('members'), shown('roles'), shown('users')]).toEqual([
    ['choice'],
    ['choice', 'roles'],
    ['choice', 'people'],
  ])
})
