import { type Graph, type GraphNode, tokenize } from '@troupe/graph'
import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { describe, expect, test } from 'vitest'
import { edge, node } from '../testing/draft.ts'
import { knownTokens, matchingTokens } from './known-tokens.ts'
import { completedToken, droppedBeside, openTokenAt } from './open-token.ts'

const paths = (graph: Graph, id: string) => knownTokens(graph, id).map(({ path }) => path)
const step = (id: string, type: string, config: object = {}, parentId: string | null = null): GraphNode =>
  node(id, parentId, { type, name: id.toUpperCase(), config: { ...config } })

describe('the tokens that a step can read', () => {
  const graph: Graph = {
    nodes: [
      step('form', 'form-trigger', {
        fields: [
          { name: 'mail', type: 'text' },
          { name: 'cv', type: 'file' },
        ],
      }),
      step('ask', 'ai-prompt', {
        outputSchema: {
          type: 'object',
          properties: { team: { type: 'object', properties: { size: { type: 'number' } } } },
        },
      }),
      step('sort', 'classify'),
      step('each', 'loop', { mode: 'list', source: '{{ trigger.body.mail }}' }),
      step('inner', 'edit-fields', { rows: [{ name: 'a', value: 1 }] }, 'each'),
      step('last', 'edit-fields', {}, 'each'),
      step('after', 'edit-fields'),
      step('other', 'variable', { rows: [{ name: 'count', op: 'set', value: 1 }] }),
    ],
    edges: [
      edge('form', 'ask'),
      edge('ask', 'sort'),
      edge('sort', 'each', 'other'),
      edge('each', 'inner', 'body'),
      edge('inner', 'last'),
      edge('each', 'after', 'done'),
    ],
  }

  test('are those of its start, of the steps before it, nearest first, and of variables', () => {
    expect(paths(graph, 'sort')).toEqual([
      'trigger.body.mail',
      'trigger.body.cv.text',
      'trigger.body.cv.filename',
      'trigger.body.cv.contentType',
      'trigger.body.cv.sizeBytes',
      'upstream.ask.output',
      'upstream.ask.output.team',
      'upstream.ask.output.team.size',
      'variables.count',
    ])
  })

  test('in a Loop have its item and the steps before the Loop, and not its own list', () => {
    const found = paths(graph, 'last')
    expect(found.slice(0, 2)).toEqual(['loop.item', 'loop.index'])
    expect(found).toContain('upstream.inner.output.a')
    expect(found).toContain('upstream.sort.output.categoryId')
    expect(found).not.toContain('upstream.each.output')
    expect(found.indexOf('upstream.inner.output')).toBeLessThan(found.indexOf('upstream.sort.output'))
  })

  test('behind a Loop have its list, and nothing of its body', () => {
    const found = paths(graph, 'after')
    expect(found).toContain('upstream.each.output')
    expect(found.filter((path) => path.includes('inner') || path.startsWith('loop.'))).toEqual([])
  })

  test('of a step that nothing leads to are those of every trigger', () => {
    expect(paths(graph, 'other')).toContain('trigger.body.mail')
    expect(knownTokens(graph, 'nobody')).toEqual([])
  })

  test('are read by runs as they are written', () => {
    for (const path of paths(graph, 'last')) {
      expect(tokenize(completedToken(path))).toMatchObject([
        { kind: 'token', path: { namespace: expect.anything() } },
      ])
    }
  })
})

test('a call of the API has its fields beside each other, a webhook below body, and names that no token can have are omitted', () => {
  const graph: Graph = {
    nodes: [
      step('in', 'http-request', {
        fields: [
          { name: 'id', type: 'number' },
          { name: 'a.b', type: 'string' },
        ],
        sample: { to: { mail: 'x' } },
      }),
      step('next', 'edit-fields'),
    ],
    edges: [edge('in', 'next')],
  }
  expect(paths(graph, 'next')).toEqual([
    ...['trigger.body.id', 'trigger.body.to', 'trigger.body.to.mail'],
    ...['trigger.id', 'trigger.to', 'trigger.to.mail'],
  ])
})

test.each(
  NODE_DEFINITIONS.map((definition) => [definition.type, definition] as const),
)('the fields of %s are read from any config', (_, definition) => {
  const { outputsOf } = definition as {
    outputsOf?(config: Record<string, unknown>): readonly { path: string }[]
  }
  for (const value of [null, 1, 'x', [], [null, { name: 5 }], {}, { type: 'object', properties: 7 }]) {
    const config = Object.fromEntries(
      ['fields', 'rows', 'classes', 'sample', 'outputSchema'].map((key) => [key, value]),
    )
    for (const { path } of outputsOf?.(config) ?? []) expect(path).not.toBe('')
  }
})

test('a graph of 5,000 steps is searched quickly', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `s${index}`)
  const graph: Graph = {
    nodes: ids.map((id) => step(id, 'edit-fields', { rows: [{ name: 'a', value: 1 }] })),
    edges: ids.slice(1).map((id, index) => edge(`s${index}`, id)),
  }
  const before = performance.now()
  const found = paths(graph, 's4999')
  expect(performance.now() - before).toBeLessThan(1_000)
  expect(found[0]).toBe('upstream.s4998.output')
})

describe('the token at the caret', () => {
  test.each<[string, string | null]>([
    ['Hello {{|', ''],
    ['Hello {{ tri|', 'tri'],
    ['Hello {{ tri| }} and {{ b }}', 'tri'],
    ['{{ a }} and {{b|', 'b'],
    ['{{{x|', 'x'],
    ['{|{', null],
    ['Hello|', null],
    ['{{ a }}|', null],
    ['{{ a\nb|', null],
    ['\\{{ a|', null],
  ])('%s', (marked, typed) => {
    const caret = marked.indexOf('|')
    const open = openTokenAt(marked.replace('|', ''), caret)
    expect(open?.typed ?? null).toBe(typed)
  })

  test('is replaced with its closing braces, and nothing else is', () => {
    const text = 'Hi {{ tri }}, {{ b }}'
    const open = openTokenAt(text, 9)
    if (!open) throw new Error('there is a token')
    expect(text.slice(0, open.from) + completedToken('trigger.a') + text.slice(open.to)).toBe(
      'Hi {{ trigger.a }}, {{ b }}',
    )
  })
})

test('input matches the beginning of a path first, then names in it, then the step', () => {
  const token = (path: string, stepName: string | null = null) =>
    ({ path, source: 'step', stepName, type: null }) as const
  const tokens = [token('upstream.a.output', 'Mail team'), token('upstream.b.output.mail'), token('mail')]
  expect(matchingTokens(tokens, 'Mail').map(({ path }) => path)).toEqual([
    'mail',
    'upstream.b.output.mail',
    'upstream.a.output',
  ])
  expect(matchingTokens(tokens, '')).toHaveLength(3)
  expect(matchingTokens(tokens, 'none')).toEqual([])
})

test.each([
  ['A {{ tri|{{ b }}gger.a }} c', 'A {{ trigger.a }}{{ b }} c'],
  ['A {{ trigger.a }}|{{ b }} c', null],
  ['A |{{ b }}{{ trigger.a }}', null],
  ['{{ open |{{ b }}', null],
  ['{{ a|text }}', null],
])('a token that is dropped at | in %s does not divide another one', (written, expected) => {
  const from = written.indexOf('|')
  const value = written.replace('|', '')
  const end = value.indexOf('}}', from)
  const dropped = droppedBeside(value, from, value.startsWith('{{', from) ? end + 2 : from + 4)
  expect(dropped?.value ?? null).toBe(expected)
  if (dropped) expect(dropped.value.slice(dropped.from, dropped.to)).toBe('{{ b }}')
})
