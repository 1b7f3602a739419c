import { expect, test } from 'vitest'
import type { KnownToken } from './known-tokens.ts'
import { previewOf, type RunSample, sampledTokens } from './run-sample.ts'

const sample: RunSample = {
  trigger: { body: { mail: 'a@b.c', topic: null, 'with.dot': 1 } },
  outputs: new Map<string, unknown>([['sort', { class: 'bug', deep: { at: [1] } }]]),
  variables: new Map([['n', 3]]),
}

test.each([
  ['Hello {{ trigger.body.mail }}, {{variables.n}}', { kind: 'value', value: 'Hello a@b.c, 3', absent: [] }],
  [' {{ upstream.sort.output.deep }} ', { kind: 'value', value: { at: [1] }, absent: [] }],
  ['{{ trigger.body.topic }}', { kind: 'value', value: null, absent: ['{{ trigger.body.topic }}'] }],
  [
    'About {{ trigger.body.topic }}, {{ trigger.body.topic }}',
    { kind: 'value', value: 'About null, null', absent: ['{{ trigger.body.topic }}'] },
  ],
  ['no token, \\{{ neither }}', null],
  [
    '{{ upstream.late.output }} {{ loop.item }}',
    { kind: 'unknown', tokens: ['{{ upstream.late.output }}', '{{ loop.item }}'] },
  ],
  ['{{ env.x }}', { kind: 'fault', sentence: expect.stringContaining('is not one of: trigger') }],
  [
    '{{ upstream.sort.output.clas }}',
    { kind: 'fault', sentence: expect.stringContaining('Did you mean "class"?') },
  ],
])('%s is previewed as a run would resolve it', (template, preview) => {
  expect(previewOf(template, sample)).toEqual(preview)
})

test('values are added to the known tokens, including keys that no setting declares', () => {
  const step = { source: 'step', stepName: 'Sort' } as const
  const known: KnownToken[] = [
    { ...step, path: 'upstream.sort.output', type: null },
    { ...step, path: 'upstream.sort.output.class', type: 'string' },
    { ...step, path: 'upstream.late.output', type: null },
  ]
  const found = sampledTokens(known, sample).map(({ path, value }) => [path, value])
  expect(found).toEqual([
    ['upstream.sort.output', sample.outputs.get('sort')],
    ['upstream.sort.output.class', 'bug'],
    ['upstream.sort.output.deep', { at: [1] }],
    ['upstream.sort.output.deep.at', [1]],
    ['upstream.late.output', undefined],
    ['trigger.body', { mail: 'a@b.c', topic: null, 'with.dot': 1 }],
    ['trigger.body.mail', 'a@b.c'],
    ['trigger.body.topic', null],
  ])
})

test('an output of thousands of keys adds some of them', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))
  expect(sampledTokens([], { trigger: wide, outputs: new Map(), variables: new Map() })).toHaveLength(200)
})

test('the item of a Loop has its keys and values', () => {
  const known: KnownToken[] = [
    { path: 'loop.item', source: 'loop', stepName: null, type: null },
    { path: 'loop.index', source: 'loop', stepName: null, type: 'number' },
  ]
  const inLoop: RunSample = { ...sample, trigger: 1, loop: { item: { sku: 'x', size: null }, index: 2 } }
  expect(sampledTokens(known, inLoop).map(({ path, type, value }) => [path, type, value])).toEqual([
    ['loop.item', null, { sku: 'x', size: null }],
    ['loop.item.sku', 'string', 'x'],
    ['loop.item.size', 'null', null],
    ['loop.index', 'number', 2],
  ])
  const template = '{{ loop.item.sku }} is number {{ loop.index }}'
  expect(previewOf(template, inLoop)).toEqual({ kind: 'value', value: 'x is number 2', absent: [] })
})
