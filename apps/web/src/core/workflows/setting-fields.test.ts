import { isJsonObject } from '@troupe/contract'
import { NODE_DEFINITIONS, NODE_TYPES } from '@troupe/nodes/definitions'
import { describe, expect, test } from 'vitest'
import { stepTypeTitle } from '../labels/step-type-title.ts'
import { workflowWords } from '../messages/en/workflows/workflows.ts'
import { fittingValues, unknownKeys } from './node-schema.ts'
import { settingFields, withProposedIds } from './setting-fields.ts'

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

test.for(NODE_DEFINITIONS)('a $type of a trace is called as in its workflow', ({ type, title }) => {
  expect(stepTypeTitle(type)).toBe(title)
})

type Schema = Record<string, unknown>
const object = (value: unknown): Schema => (isJsonObject(value) ? value : {})

/** The configs that show every key of a schema: one for each value of each choice and switch that shows or hides others. */
function configsOf(schema: object): Schema[] {
  const { properties, variants } = object(schema)
  const { key, schemas } = object(variants)
  const keys = Object.entries(object(properties)).flatMap(([name, own]) => {
    const { enum: choices, type } = object(own)
    const known = Array.isArray(choices) ? choices : []
    if (name === key || known.length > 0) {
      const kinds = name === key ? Object.keys(object(schemas)) : []
      return [[name, [...new Set([...known, ...kinds])]] as const]
    }
    return type === 'boolean' ? [[name, [true, false]] as const] : []
  })
  return [{}, ...keys.flatMap(([name, values]) => values.map((value: unknown) => ({ [name]: value })))]
}

/** Every key of a schema by its path, whether or not it is shown. */
function pathsOf(schema: object, path = ''): string[] {
  const { properties, variants } = object(schema)
  const every = [
    object(properties),
    ...Object.values(object(object(variants).schemas)).map((one) => object(object(one).properties)),
  ]
  return every.flatMap((some) =>
    Object.entries(some).flatMap(([name, own]) => {
      const { items, form } = object(own)
      // Models and conditions have separate fields, which other tests cover.
      const isWhole =
        ['model', 'conditions', 'json', 'json-schema'].includes(String(object(form).control)) &&
        items === undefined
      // A list of texts is written in lines.
      const below = object(items).type === 'object' ? object(items) : object(own)
      const at = `${path}${name}`
      return [at, ...(isWhole && object(own).properties === undefined ? [] : pathsOf(below, `${at}.`))]
    }),
  )
}

/** The fields that the form of a node shows in any of its configs, by their paths. */
function shownPaths(schema: object, path = ''): Map<string, ReturnType<typeof settingFields>[number]> {
  const shown = new Map<string, ReturnType<typeof settingFields>[number]>()
  for (const config of configsOf(schema)) {
    const fields = settingFields(schema, config)
    const titles = fields.map(({ title }) => title)
    expect(new Set(titles).size, `${path}: two fields of one name among ${titles.join(', ')}`).toBe(
      titles.length,
    )
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
    for (const field of fields) shown.set(`${path}${field.name}`, field)
  }
  for (const [at, { control }] of [...shown]) {
    const inner = control.kind === 'list' ? control.item : control.kind === 'group' ? control.schema : null
    if (inner !== null) for (const [below, field] of shownPaths(inner, `${at}.`)) shown.set(below, field)
  }
  return shown
}

test.each(
  NODE_DEFINITIONS.map(({ type, schema }) => [type, schema] as const),
)('each setting of %s, at any depth, has exactly one field with its own title', (_type, schema) => {
  const shown = shownPaths(schema)
  const paths = [...new Set(pathsOf(schema))]
  expect(paths.filter((path) => !shown.has(path))).toEqual([])
  const titles = [...shown].filter(
    ([path, { name, title }]) => title === name && /[_a-z][A-Z]/.test(path.split('.').at(-1) ?? ''),
  )
  expect(titles.map(([path]) => path)).toEqual([])
})

test('options are lines of text, or rows if their values differ from their labels', () => {
  const { control } = shownPaths(NODE_TYPES.get('form-trigger')?.schema ?? {}).get('fields') ?? {}
  const optionsOf = (options: unknown[]) =>
    settingFields(control?.kind === 'list' ? control.item : {}, { type: 'radio', options }).find(
      ({ name }) => name === 'options',
    )?.control
  expect(optionsOf(['a'])).toEqual({ kind: 'lines' })
  const rows = optionsOf([{ value: 'a', label: 'A' }])
  const fields = rows?.kind === 'list' ? settingFields(rows.item, {}) : []
  expect(fields.map(({ title, control: { kind } }) => [title, kind])).toEqual([
    ['Value', 'text'],
    ['Label', 'text'],
  ])
  expect(optionsOf(['a', { value: 'b', label: 'B' }])).toEqual({ kind: 'json' })
})

test('only settings that may be any JSON are a JSON box', () => {
  const asJson = NODE_DEFINITIONS.flatMap(({ type, schema }) =>
    [...shownPaths(schema)].flatMap(([path, { control }]) =>
      control.kind === 'json' ? [`${type}.${path}`] : [],
    ),
  )
  expect(asJson).toEqual([
    ...['manual-trigger.sample', 'http-request.sample', 'form-trigger.sample'],
    'ai-agent.toolContext',
  ])
})

test('the control follows the hint of the definition, then the type', () => {
  expect(controls('ai-agent')).toMatchObject({ agentId: 'resource', message: 'text-area', retries: 'number' })
  expect(controls('classify')).toMatchObject({ classes: 'list', includeOther: 'switch' })
  expect(controls('human-review')).toMatchObject({ reviewers: 'group', timeout: 'group' })
  expect(controls('if-else')).toMatchObject({ match: 'choice', conditions: 'conditions' })
  expect(controls('form-trigger')).toMatchObject({ embedOrigins: 'tags', theme: 'group' })
})

test('a field shows whether it accepts tokens; a literal value does not', () => {
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

test('a condition of a Loop is a group with its rows, and optional parts can be removed', () => {
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

test('fields of another mode are omitted, and a value that is not text stays JSON', () => {
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

test('a number that may be a token is a number, in a Loop and in increments of a variable', () => {
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

  test('have a list as the default of boxes, and rows for options whose value differs from their label', () => {
    expect(shown({ type: 'checkboxes', defaultValue: ['a'] })).toMatchObject({ defaultValue: 'lines' })
    const options = [{ value: 'a', label: 'The first' }]
    expect(shown({ type: 'radio', options })).toMatchObject({ options: 'list' })
  })

  test('do not make the keys of another type strange, which are kept for it', () => {
    expect(unknownKeys(item, { type: 'text', options: ['a'], color: 'red' })).toEqual(['color'])
  })
})

describe('another type of question', () => {
  const schema = { properties: { label: { type: 'string' } }, variants: { key: 'type', schemas: SCHEMAS } }

  test('omits settings that its fields could not show, and keeps the rest', () => {
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

test.each([
  [{ name: 'Refund request' }, 'refund-request'],
  [{ name: 'Größe & Gewicht', id: '' }, 'gro-e-gewicht'],
  [{ name: `${'long '.repeat(9)}name` }, 'long-long-long-long-long-long-long-long'],
])('the name of a class proposes its id: %j', (config, id) => {
  const item = (NODE_TYPES.get('classify')?.schema as { properties: { classes: { items: object } } })
    .properties.classes.items
  expect(withProposedIds(settingFields(item, config), config)).toEqual({ ...config, id })
})

test.each([
  { name: 'Refund', id: 'money' },
  { name: '' },
  {},
  { name: '退款' },
  { name: 7 },
])('an existing id stays, and a name without letters proposes none: %j', (config) => {
  const fields = [
    { name: 'id', from: 'name' },
    { name: 'name', from: null },
  ]
  expect(withProposedIds(fields, config)).toBeNull()
})
