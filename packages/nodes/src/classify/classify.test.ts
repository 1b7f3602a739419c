import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { executeNode, outputOf, resultOf, ScriptedServices } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const classes = [
  { id: 'refund', name: 'Refund', description: 'wants money back' },
  { id: 'bug-report', name: 'Bug' },
]
const base = { text: '{{ trigger.text }}', classes }
const trigger = { text: 'Give it back!' }
const answering = (...answers: string[]) => new ScriptedServices({ answers })

test.for<[string, unknown, string]>([
  [
    '{"categoryId":"refund","reason":"asks for money"}',
    { category: 'Refund', categoryId: 'refund', reason: 'asks for money' },
    'refund',
  ],
  ['{"categoryId":"bug-report"}', { category: 'Bug', categoryId: 'bug-report', reason: null }, 'bug-report'],
  [
    '{"categoryId":"refund","reason":""}',
    { category: 'Refund', categoryId: 'refund', reason: null },
    'refund',
  ],
  [
    '{"categoryId":"other","reason":"neither"}',
    { category: 'Other', categoryId: 'other', reason: 'neither' },
    'other',
  ],
  [
    '```json\n{"categoryId":" refund "}\n```',
    { category: 'Refund', categoryId: 'refund', reason: null },
    'refund',
  ],
  ['refund', { category: 'Refund', categoryId: 'refund', reason: null }, 'refund'],
  ['"refund"', { category: 'Refund', categoryId: 'refund', reason: null }, 'refund'],
])('the answer %j continues at its handle', async ([answer, output, handle]) => {
  expect(await resultOf('classify', base, { trigger, services: answering(answer) })).toEqual({
    status: 'completed',
    output,
    handles: [handle],
  })
})

test('the model sees ids, names and descriptions and can only answer with an id', async () => {
  const services = answering('{"categoryId":"refund"}')
  await executeNode('classify', { ...base, instructions: 'Be strict.' }, { trigger, services })
  const [call] = services.calls
  expect(call).toMatchObject({ purpose: 'classify', prompt: '<text>\nGive it back!\n</text>' })
  for (const part of [
    '- refund: Refund (wants money back)',
    '- bug-report: Bug',
    '- other: Other',
    'Be strict.',
  ]) {
    expect(call?.system).toContain(part)
  }
  expect(call?.schema?.schema.properties).toMatchObject({
    categoryId: {
      enum: ['refund', 'bug-report', 'other'],
      description:
        'The id of the class:\n- refund: Refund (wants money back)\n- bug-report: Bug\n' +
        '- other: Other (fits none of the other classes)',
    },
  })
})

test('a description of several lines stays on the line of its class', async () => {
  const services = answering('{"categoryId":"refund"}')
  const described = [{ id: 'refund', name: 'Refund', description: 'one\n- bug-report: two' }, classes[1]]
  await executeNode('classify', { ...base, classes: described }, { trigger, services })
  expect(services.calls[0]?.system).toContain('- refund: Refund (one - bug-report: two)\n- bug-report: Bug')
})

test('without "other" the model is not offered it', async () => {
  const services = answering('{"categoryId":"refund"}')
  await executeNode('classify', { ...base, includeOther: false }, { trigger, services })
  expect(services.calls[0]?.system).not.toContain('other: Other')
  expect(services.calls[0]?.schema?.schema.properties).toMatchObject({
    categoryId: { enum: ['refund', 'bug-report'] },
  })
})

test('an unknown answer is requested again once, with its problem', async () => {
  const services = answering('{"categoryId":"money"}', '{"categoryId":"refund"}')
  const executed = await executeNode('classify', base, { trigger, services })
  expect(executed).toMatchObject({ result: { handles: ['refund'] }, inputTokens: 20, outputTokens: 10 })
  expect(services.calls[1]?.prompt).toContain('Your last answer, "money", is not the id of a class')
})

test('two unknown answers are "other"', async () => {
  const services = answering('who knows', '[]')
  expect(await resultOf('classify', base, { trigger, services })).toEqual({
    status: 'completed',
    output: { category: 'Other', categoryId: 'other', reason: null },
    handles: ['other'],
  })
  expect(services.calls).toHaveLength(2)
})

test('two unknown answers fail the node when there is no "other"', async () => {
  const services = answering('x', '{"categoryId":"other"}')
  const config = { ...base, includeOther: false }
  expect(await outputOf('classify', config, { trigger, services })).toBe(
    'failed: the model chose "other", which is not one of the classes',
  )
})

test('an endless wrong answer is cut off', async () => {
  const services = answering('x'.repeat(500), 'x'.repeat(500))
  const output = await outputOf('classify', { ...base, includeOther: false }, { trigger, services })
  expect(String(output).length).toBeLessThan(150)
})

test.for<[Record<string, unknown>, string[]]>([
  [base, []],
  [{}, ['text is required', 'classes is required']],
  [{ text: 'x', classes: [] }, ['classes must have at least 1 item']],
  [
    { text: 'x', classes: Array.from({ length: 51 }, (_, n) => ({ id: `c${n}`, name: 'C' })) },
    ['classes must have at most 50 items'],
  ],
  [
    {
      text: 'x',
      classes: [
        { id: 'other', name: 'O' },
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    },
    [
      'classes.2.id is used by another class',
      'classes.0.id must not be "other", the id for texts that fit no class',
    ],
  ],
  [
    { text: 'x', classes: [{ id: 'A b', name: '' }] },
    [
      'classes.0.name must not be empty',
      'classes.0.id must have 1 to 40 lower-case letters, digits or -, not beginning with -',
    ],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('classify', config)).toEqual(expected)
})

test.for<[Record<string, unknown>, string[]]>([
  [base, ['refund', 'bug-report', 'other']],
  [{ ...base, includeOther: false }, ['refund', 'bug-report']],
  [{}, ['other']],
  [{ classes: [{ id: 'a' }, 7, { id: 'a' }, {}] }, ['a', 'other']],
])('the config %j has the handles %j', ([config, handles]) => {
  expect(NODE_TYPES.get('classify')?.handles(config)).toEqual(handles)
})

test('text and instructions are templates', () => {
  expect(NODE_TYPES.get('classify')?.templates?.({ ...base, instructions: 'x' })).toEqual([
    { path: 'text', value: '{{ trigger.text }}' },
    { path: 'instructions', value: 'x' },
  ])
})
