import { NODE_TYPES } from '@troupe/nodes/definitions'
import { describe, expect, test } from 'vitest'
import { faultsOf, findingSentence, findingsBySetting, settingName, stepPlace, titleOf } from './findings.ts'

const schemaOf = (type: string) => NODE_TYPES.get(type)?.schema ?? {}

describe('the name of a setting', () => {
  const nameOf = (path: string, config = {}) => settingName(schemaOf('human-review'), config, path)

  test.each([
    ['title', 'Title'],
    ['approvalsRequired', 'Approvals required'],
    ['timeout.unit', 'Deadline: Unit'],
    ['show.0', 'What reviewers see, 1'],
    ['show.0.label', 'What reviewers see, 1: Label'],
    ['notify.emails.2', 'Notify: E-mail, 3'],
  ])('%s has the titles of the form', (path, name) => {
    expect(nameOf(path)).toBe(name)
  })

  test.each([
    ['disabled', 'Disabled'],
    ['config', 'Settings'],
    ['config.title', 'Title'],
    // A setting of a Human Review, not a part of a step.
    ['title', null],
    ['later', null],
  ])('%s of a step is not taken for a setting', (path, name) => {
    expect(titleOf(stepPlace(schemaOf('human-review'), path))).toBe(name)
  })

  test('a key that only one kind of an item has is named where the item is of that kind', () => {
    const schema = {
      properties: {
        fields: {
          title: 'Questions',
          items: {
            properties: { type: { title: 'Type' } },
            variants: { key: 'type', schemas: { number: { properties: { min: { title: 'Smallest' } } } } },
          },
        },
      },
    }
    const config = { fields: [{ type: 'text' }, { type: 'number' }] }
    expect(settingName(schema, config, 'fields.1.min')).toBe('Questions, 2: Smallest')
    expect(settingName(schema, config, 'fields.0.min')).toBe('Questions, 1: min')
  })

  test('settings outside the schema stay as stored', () => {
    expect(nameOf('color')).toBeNull()
    expect(settingName(schemaOf('ai-prompt'), {}, 'model.primary.llm_config_id')).toBe(
      'Model: primary.llm_config_id',
    )
  })
})

test('a finding names its setting by its labels, and others by their path', () => {
  const sentence = (path: string, nodeId: string | null = 'review') =>
    findingSentence({ path, nodeId, message: 'is required' }, schemaOf('human-review'), {})
  expect(sentence('nodes.1.config.show.0.label')).toBe('Missing: What reviewers see, 1: Label')
  expect(sentence('nodes.1.config.color')).toBe('Missing: color')
  expect(sentence('nodes.1.name')).toBe('Missing: Name')
  expect(sentence('edges.13.source', null)).toBe('Missing: Connection 14: start')
  expect(sentence('nodes', null)).toBe('is required')
})

test.each([
  [
    'edges.1',
    'another edge leads from a (out) to a',
    'Connection 2 another edge leads from “Ask” (out) to “Ask”',
  ],
  ['nodes.1', 'a does not come before b-2', '“Ask” does not come before “Write, a”'],
  ['nodes.1', 'gone does not come before a', 'gone does not come before “Ask”'],
  ['nodes.1.parentId', 'names an unknown node: ghost', 'Loop around it names an unknown node: ghost'],
])('a finding at %s names steps by their names', (path, message, sentence) => {
  const names = new Map([
    ['a', 'Ask'],
    ['b-2', 'Write, a'],
  ])
  const nodeId = path.startsWith('edges') ? null : 'b-2'
  expect(findingSentence({ path, nodeId, message }, {}, {}, names)).toBe(sentence)
})

test('choices that a finding speaks of have the titles of the form', () => {
  const sentence = (path: string, message: string, type = 'form-trigger') =>
    findingSentence({ path: `nodes.0.config.${path}`, nodeId: 'start', message }, schemaOf(type), {})
  expect(sentence('auth.mode', 'must be one of: none, service-login')).toBe(
    'Access: Who may open the form must be one of: “Everybody with the link”, “Members, after signing in”',
  )
  expect(sentence('cron', 'is required when the mode is cron', 'recurrence')).toBe(
    'Cron pattern is required for “A cron pattern”',
  )
})

test('another setting that a finding speaks of has the title of the form', () => {
  const finding = { nodeId: 'start', message: 'must not be less than minLength' }
  const path = 'nodes.0.config.fields.0.maxLength'
  const config = { fields: [{ type: 'text' }] }
  expect(findingSentence({ ...finding, path }, schemaOf('form-trigger'), config)).toBe(
    'Fields, 1: Longest must not be less than “Shortest”',
  )
})

test.each([
  ['if-else', 'conditions.0.left', 'Conditions, 1: Value'],
  ['if-else', 'conditions.1.conditions.0.right', 'Conditions, 2: Conditions, 1: Compared with'],
  ['loop', 'condition.conditions.2.op', 'Condition: Conditions, 3: Comparison'],
])('the parts of a condition of %s are named as in its form: %s', (type, path, name) => {
  const conditions = [{}, { conditions: [{}] }, {}]
  expect(settingName(schemaOf(type), { conditions, condition: { conditions } }, path)).toBe(name)
})

test('a fault of a setting disappears with its first change, and returns when that is undone', () => {
  const findings = ['title', 'show.0.label'].map((setting) => ({
    severity: 'error' as const,
    code: 'invalid',
    nodeId: 'review',
    edgeId: null,
    path: `nodes.1.config.${setting}`,
    message: 'is required',
  }))
  const stored = { show: [{ value: 1 }] }
  const pathsOf = (typed: Record<string, unknown>) => [
    ...faultsOf(findings, schemaOf('human-review'), stored, typed).keys(),
  ]
  expect(pathsOf({ show: [{ value: 1 }] })).toEqual(['title', 'show.0.label'])
  expect(pathsOf({ show: [{ value: 1 }], title: 'Approve' })).toEqual(['show.0.label'])
  expect(pathsOf({ show: [{ value: 2, label: 'Sum' }] })).toEqual(['title'])
})

test('a setting has all of its findings until it is changed', () => {
  const of = (key: string, message: string) => ({
    ...{
      severity: 'error' as const,
      code: 'unknown_token_node' as const,
      message,
      nodeId: 'a',
      edgeId: null,
    },
    path: `nodes.0.config.${key}`,
  })
  const found = [
    of('prompt', '{{ upstream.x.output }}: there is no step x'),
    of('prompt', '{{ upstream.y.output }}: there is no step y'),
    of('system', '{{ upstream.x.output }}: there is no step x'),
  ]
  const checked = { prompt: 'a', system: 'b' }
  const typed = { prompt: 'a', system: 'c' }
  expect([...findingsBySetting(found, checked, typed)]).toEqual([['prompt', found.slice(0, 2)]])
  expect(faultsOf(found, schemaOf('ai-prompt'), checked, typed).get('prompt')).toBe(
    '{{ upstream.x.output }}: there is no step x; {{ upstream.y.output }}: there is no step y',
  )
})

test('a finding about a token names steps by their names, and the token by its id', () => {
  const message =
    '{{ upstream.a.output }}: a may be skipped when b runs; bring branches together in a Variable'
  const path = 'nodes.0.config.prompt'
  const names = new Map([
    ['a', 'Facts'],
    ['b', 'Reply'],
  ])
  const said =
    '{{ upstream.a.output }}: “Facts” may be skipped when “Reply” runs; bring branches together in a Variable'
  expect(findingSentence({ path, message, nodeId: 'b' }, schemaOf('ai-prompt'), {}, names)).toBe(
    `Prompt ${said}`,
  )
  const finding = {
    severity: 'warning',
    code: 'may_be_skipped',
    message,
    nodeId: 'b',
    edgeId: null,
    path,
  } as const
  expect(faultsOf([finding], schemaOf('ai-prompt'), {}, {}, names).get('prompt')).toBe(said)
})
