import { expect, test } from 'vitest'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { validateGraph } from './validate-graph.ts'

const CONFIGS: Record<string, Record<string, unknown>> = {
  f: { answers: ['message', 'mail'].map((name) => ({ name, required: true, isFile: false })) },
  t: {
    fields: ['question', 'id'].map((name) => ({ name, type: 'string', required: true })),
  },
}

const DOORS = new Set(['api_calls_fail', 'webhook_calls_fail'])

/** The warnings about the tokens of step b; step a tests whether a token exists. */
function warnings(sketch: string, value: string, tested?: string): string[] {
  const graph = parseSketch(sketch)
  for (const node of graph.nodes) node.config = CONFIGS[node.id] ?? {}
  for (const node of graph.nodes.filter(({ id }) => id === 'b')) Object.assign(node, { config: { value } })
  for (const node of graph.nodes.filter(({ id }) => id === 'a')) node.config = { tested }
  return validateGraph(graph, TEST_NODE_TYPES)
    .problems.filter(({ code }) => !DOORS.has(code))
    .map(({ severity, code, path, message }) => `${severity} ${code} ${path}: ${message}`)
}

const warned = (token: string, reason: string) => [
  `warning not_in_trigger nodes.1.config.value: ${token}: ${reason}`,
]

test.for<[string, string]>([
  ['f→b', '{{ trigger }} {{ trigger.body }} {{ trigger.body.message }} {{ upstream.f.output.body.mail }}'],
  ['t→b', '{{ trigger.question }} {{ trigger.body.question }} {{ trigger.body }}'],
  ['r→b', '{{ trigger }} {{ upstream.r.output }}'],
])("%s may read its trigger's payload: %s", ([sketch, value]) => {
  expect(warnings(sketch, value)).toEqual([])
})

test('a step behind a form is warned about a field that the form does not have', () => {
  expect(warnings('f→b', '{{ trigger.body.name }}')).toEqual(
    warned('{{ trigger.body.name }}', '"name" is not in the form (has: message, mail)'),
  )
  expect(warnings('f→b', '{{ trigger.body.massage.length }}')).toEqual(
    warned(
      '{{ trigger.body.massage.length }}',
      '"massage" is not in the form (has: message, mail). Did you mean "message"?',
    ),
  )
  expect(warnings('f→b', '{{ upstream.f.output.body.name }}')).toHaveLength(1)
})

test('the answers of a form are searched where the form puts them', () => {
  expect(warnings('f→b', '{{ trigger.mail }}')).toEqual(
    warned('{{ trigger.mail }}', 'the answers of the form are below "body": write trigger.body.mail'),
  )
  expect(warnings('f→b', '{{ trigger.name }}')).toEqual(
    warned('{{ trigger.name }}', 'the answers of the form are below "body"'),
  )
})

test('a step behind an HTTP Request is warned about a name that resembles an unread declared one', () => {
  const meant = (key: string) =>
    `"${key}" is not in the declared fields of the HTTP Request (has: question, id). Did you mean "question"?`
  expect(warnings('t→b', '{{ trigger.questions }}')).toEqual(
    warned('{{ trigger.questions }}', meant('questions')),
  )
  expect(warnings('t→b', '{{ trigger.id }} {{ trigger.body.qestion.text }}')).toEqual(
    warned('{{ trigger.body.qestion.text }}', meant('qestion')),
  )
})

test.for([
  '{{ trigger.name }}',
  '{{ trigger.lines.0 }}',
  '{{ trigger.questions.0 }} {{ trigger.body.questions.0.text }}',
  '{{ trigger.question }} {{ trigger.questions }}',
  '{{ trigger.id }} {{ trigger.ids }}',
  '{{ trigger.body }} {{ trigger.questions }}',
])('a payload may have more than the declared fields, such as a list: %s', (value) => {
  expect(warnings('t→b', value)).toEqual([])
})

test('of thousands of missing fields, the later ones are reported without the names of the form', () => {
  const answers = Array.from({ length: 200 }, (_, at) => ({
    name: `${at}`.padStart(64, 'field-'),
    required: true,
    isFile: false,
  }))
  const graph = parseSketch('f→b')
  graph.nodes[0]!.config = { answers }
  const tokens = Array.from(
    { length: 5_000 },
    (_, at) => `{{ trigger.body.${`${at}`.padStart(64, 'other-')} }}`,
  )
  graph.nodes[1]!.config = { value: tokens.join(' ') }
  const messages = validateGraph(graph, TEST_NODE_TYPES).problems.map(({ message }) => message)
  expect(messages).toHaveLength(5_000)
  expect(messages[0]).toContain('is not in the form (has: field-')
  expect(messages.at(-1)).toMatch(/^\{\{ trigger\.body\.[-a-z]+4999 \}\}: "[-a-z]+4999" is not in the form$/)
})

/** The publishing warnings about the kinds of start of a graph whose step reads these tokens. */
function doors(sketch: string, value: string, config: Record<string, unknown> = {}): string[] {
  const graph = parseSketch(sketch.replace('manual', 't'))
  if (sketch.startsWith('manual')) graph.nodes[0]!.type = 'manual-trigger'
  graph.nodes[0]!.config = config
  graph.nodes[1]!.config = { value }
  return validateGraph(graph, TEST_NODE_TYPES)
    .problems.filter(({ code }) => DOORS.has(code))
    .map(({ severity, path, message }) => `${severity} ${path} ${message}`)
}
const API = (token: string) =>
  `warning nodes.0 needs {"input": {"body": {…}}} from calls by the API, because steps read ${token}`
const WEBHOOK = (token: string) =>
  `warning nodes.0 fails when called by webhook, because steps read ${token}, but a webhook's body is at trigger.body`

test.for<[string, string, string[]]>([
  ['t→b', '{{ trigger.body.id }}', [API('{{ trigger.body.id }}')]],
  ['t→b', '{{ trigger.id }} {{ trigger.more }}', [WEBHOOK('{{ trigger.id }}')]],
  [
    't→b',
    '{{ upstream.t.output.body }} {{ trigger.id }}',
    [API('{{ upstream.t.output.body }}'), WEBHOOK('{{ trigger.id }}')],
  ],
  ['t→b', '{{ trigger }}', []],
  ['manual→b', '{{ trigger.body.id }}', [API('{{ trigger.body.id }}')]],
  ['manual→b', '{{ trigger.id }}', []],
  ['f→b', '{{ trigger.body.id }}', []],
])('a graph reports the ways of starting that fail: %s with %s', ([sketch, value, said]) => {
  expect(doors(sketch, value)).toEqual(said)
})

test('a body that is declared, or in the sample of a manual trigger, is sent', () => {
  const fields = [{ name: 'body', type: 'object', required: true }]
  expect(doors('t→b', '{{ trigger.body.id }}', { fields })).toEqual([])
  expect(doors('manual→b', '{{ trigger.body.id }}', { sample: { body: { id: 1 } } })).toEqual([])
})

test('a step that reads an optional field is warned that it may be absent, unless a step tests it', () => {
  const leftOut = (sketch: string, value: string, tests?: string) => {
    const graph = parseSketch(sketch)
    for (const { id, config } of graph.nodes) {
      if (id === 'f') {
        config.answers = [
          { name: 'phone', required: false, isFile: false },
          { name: 'cv', required: false, isFile: true },
          { name: 'mail', required: true, isFile: false },
        ]
      }
      if (id === 't') config.fields = [{ name: 'qty', type: 'number', required: false }]
      if (id === 'b') config.value = value
      if (id === 'a') config.tests = tests
    }
    return validateGraph(graph, TEST_NODE_TYPES)
      .problems.filter(({ code }) => code === 'may_be_left_out')
      .map(({ message }) => message)
  }
  expect(leftOut('f→b', '{{ trigger.body.mail }} {{ trigger.body.phone }}')).toEqual([
    '{{ trigger.body.phone }}: "phone" is optional: it is null in runs that leave it out. Require it, or check it with "is not empty" first',
  ])
  expect(leftOut('f→b', '{{ upstream.f.output.body.cv.text }}')).toEqual([
    expect.stringContaining('its text is empty in runs that leave it out'),
  ])
  expect(leftOut('t→b', '{{ trigger.qty }}')).toEqual([
    expect.stringContaining('runs that leave it out fail here. Require it, or check it with "exists" first'),
  ])
  expect(leftOut('t→b', '{{ trigger.body.qty }}')).toHaveLength(1)
  expect(leftOut('f→a, a→b', '{{ trigger.body.phone }}', '{{ trigger.body.phone }}')).toEqual([])
  expect(leftOut('t→b, f→a', '{{ trigger.body.phone }}')).toEqual([])
})

test('an HTTP Request that declares no fields accepts anything', () => {
  const graph = parseSketch('t→b')
  graph.nodes[1]!.config = { value: '{{ trigger }}' }
  expect(validateGraph(graph, TEST_NODE_TYPES).problems).toEqual([])
})

test('a scheduled run has no payload', () => {
  expect(warnings('r→b', '{{ trigger.day }}')).toEqual(
    warned('{{ trigger.day }}', '"day" is not in scheduled runs: their trigger is empty'),
  )
})

test('only a trigger that leads to the step counts, also to the Loop around it', () => {
  expect(warnings('t→b, f→c', '{{ trigger.question }}')).toEqual([])
  expect(warnings('t→b, f→b', '{{ trigger.question }}')).toHaveLength(1)
  expect(warnings('f→l, l.body→b(l)', '{{ trigger.body.name }}')).toHaveLength(1)
})

test('a value whose existence a step tests may be missing', () => {
  expect(warnings('f→b, f→a', '{{ trigger.body.name }}', '{{ trigger.body.name }}')).toEqual([])
  expect(warnings('r→b, r→a', '{{ trigger.body.name }}', '{{ trigger.body }}')).toEqual([])
  expect(warnings('f→b, f→a', '{{ trigger.body.name }}', '{{ trigger.body.nam }}')).toHaveLength(1)
})

test.for([
  ['{{ trigger.body.name }}', '{{ upstream.f.output.body.name }}'],
  ['{{ upstream.f.output.body.name.first }}', '{{ trigger.body.name }}'],
] as const)('%s may be missing when a step tests %s, which is the same value', ([read, tested]) => {
  expect(warnings('f→a, a→b', read)).toHaveLength(1)
  expect(warnings('f→a, a→b', read, tested)).toEqual([])
})
