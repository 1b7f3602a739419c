import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { executeNode, outputOf, resultOf } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const trigger = { n: 5, s: 'hi', z: null, list: [1, 2], empty: {} }
const MISSING = '{{ trigger.nope }}'
const fails = (message: string) => `failed: condition 1: ${message}`
const UNRESOLVED = fails(
  'could not resolve {{ trigger.nope }}: "nope" is not in the trigger (has: n, s, z, list, empty)',
)

async function answer(left: unknown, op: string, right?: unknown): Promise<unknown> {
  const condition = { left, op, ...(right !== undefined && { right }) }
  const output = await outputOf('if-else', { conditions: [condition] }, { trigger })
  return typeof output === 'string' ? output : (output as { branch: string }).branch === 'true'
}

test.for<[unknown, string, unknown, unknown]>([
  [3, 'eq', 3, true],
  [3, 'eq', '3', true],
  ['3.0', 'eq', 3, true],
  [3, 'eq', 'three', fails('eq cannot compare number with string')],
  ['', 'eq', 0, fails('eq cannot compare string with number')],
  ['0x10', 'eq', 16, fails('eq cannot compare string with number')],
  [true, 'eq', 'true', true],
  ['false', 'eq', true, false],
  [true, 'eq', 'yes', fails('eq cannot compare boolean with string')],
  [1, 'eq', true, fails('eq cannot compare number with boolean')],
  [null, 'eq', 'x', false],
  ['x', 'eq', null, false],
  [null, 'eq', null, true],
  [null, 'eq', undefined, true],
  ['3', 'eq', '3.0', false],
  [{ a: 1, b: 2 }, 'eq', { b: 2, a: 1 }, true],
  [{ a: 1 }, 'eq', { a: '1' }, false],
  [[1, [2]], 'eq', [1, [2]], true],
  [[1], 'eq', [1, 2], false],
  [[], 'eq', {}, fails('eq cannot compare array with object')],
  ['a', 'neq', 'b', true],
  ['a', 'neq', ['a'], fails('neq cannot compare string with array')],
  [null, 'neq', 1, true],
  [5, 'neq', '5', false],
  ['10', 'gt', 9, true],
  [9, 'gt', 9, false],
  [9, 'gte', '9', true],
  ['-1e2', 'lt', 0, true],
  [' 8 ', 'lte', 8, true],
  ['2026-03-01', 'lt', '2026-03-02T00:00:00Z', true],
  ['2026-03-01T12:00', 'lt', '2026-03-01T12:00:01Z', true],
  ['2026-03-01T12:00:00+02:00', 'eq', '2026-03-01T10:00:00Z', false],
  ['2026-03-01T12:00:00+02:00', 'gte', '2026-03-01T10:00:00Z', true],
  ['2026-02-30', 'lt', '2026-03-02', fails('lt cannot compare string with string')],
  ['2026-03-01', 'lt', 5, fails('lt cannot compare string with number')],
  ['ten', 'gt', 9, fails('gt cannot compare string with number')],
  [null, 'gt', 9, fails('gt cannot compare null with number')],
  [true, 'lte', 9, fails('lte cannot compare boolean with number')],
  ['abc', 'contains', 'b', true],
  ['abc', 'contains', '', true],
  ['abc', 'contains', 'B', false],
  [['a', 'b'], 'contains', 'b', true],
  [[1, 2], 'contains', '2', true],
  [['x', { a: 1 }], 'contains', { a: 1 }, true],
  [['x', 3], 'contains', 'y', false],
  [[null], 'contains', null, true],
  [{ a: 1 }, 'contains', 'a', fails('contains cannot compare object with string')],
  ['a1', 'contains', 1, fails('contains cannot compare string with number')],
  [null, 'contains', 'a', fails('contains cannot compare null with string')],
  ['abc', 'not_contains', 'z', true],
  [['a'], 'not_contains', 'a', false],
  [7, 'not_contains', 'a', fails('not_contains cannot compare number with string')],
  ['abc', 'starts_with', 'ab', true],
  ['abc', 'starts_with', 'bc', false],
  [1, 'starts_with', '1', fails('starts_with cannot compare number with string')],
  ['abc', 'ends_with', 'bc', true],
  ['abc', 'ends_with', null, fails('ends_with cannot compare string with null')],
  ['', 'is_empty', undefined, true],
  [null, 'is_empty', undefined, true],
  [0, 'is_empty', undefined, false],
  [false, 'is_empty', undefined, false],
  [[], 'is_empty', undefined, true],
  ['{{ trigger.empty }}', 'is_empty', undefined, true],
  [' ', 'is_empty', undefined, false],
  [[0], 'is_not_empty', undefined, true],
  ['', 'is_not_empty', undefined, false],
  ['{{ trigger.n }}', 'exists', undefined, true],
  ['{{ trigger.z }}', 'exists', undefined, true],
  [MISSING, 'exists', undefined, false],
  [MISSING, 'not_exists', undefined, true],
  ['{{ trigger.n }}', 'not_exists', undefined, false],
  [MISSING, 'is_empty', undefined, UNRESOLVED],
  [MISSING, 'eq', 1, UNRESOLVED],
  [1, 'eq', MISSING, UNRESOLVED],
  [1, 'exists', MISSING, true],
  [true, 'is_true', undefined, true],
  ['true', 'is_true', undefined, false],
  [1, 'is_true', undefined, false],
  [false, 'is_false', undefined, true],
  [null, 'is_false', undefined, false],
  ['AB-12', 'matches', '^[A-Z]{2}-\\d+$', true],
  ['xAB-12', 'matches', 'AB', true],
  ['ab', 'matches', 'AB', false],
  [12, 'matches', '\\d', fails('matches cannot compare number with string')],
  [
    'x',
    'matches',
    '{{ trigger.s }}(',
    fails('the pattern is not a valid regular expression: missing closing ): `hi(`'),
  ],
  ['{{ trigger.n }}', 'eq', 5, true],
  ['{{ trigger.n }}!', 'eq', '5!', true],
])('%j %s %j: %j', async ([left, op, right, expected]) => {
  expect(await answer(left, op, right)).toEqual(expected)
})

test('the branch is the output and the handle', async () => {
  const config = { conditions: [{ left: 1, op: 'eq', right: 2 }] }
  expect(await resultOf('if-else', config)).toEqual({
    status: 'completed',
    output: { branch: 'false' },
    handles: ['false'],
  })
})

const yes = { left: 1, op: 'eq', right: 1 }
const no = { left: 1, op: 'eq', right: 2 }
const bad = { left: MISSING, op: 'gt', right: 3 }

test.for<[string | undefined, object[], unknown]>([
  [undefined, [yes, yes], 'true'],
  ['all', [yes, no], 'false'],
  ['any', [no, yes], 'true'],
  ['any', [no, no], 'false'],
  ['all', [{ left: MISSING, op: 'exists' }, bad], 'false'],
  ['any', [{ left: MISSING, op: 'not_exists' }, bad], 'true'],
  ['all', [yes, { match: 'any', conditions: [no, yes] }], 'true'],
  ['all', [yes, { conditions: [yes, no] }], 'false'],
  ['any', [no, { match: 'all', conditions: [yes, { match: 'any', conditions: [no, yes] }] }], 'true'],
])('%s of %j: %s', async ([match, conditions, branch]) => {
  const config = { ...(match && { match }), conditions }
  expect(await outputOf('if-else', config, { trigger })).toEqual({ branch })
})

test('a failing condition is named by its place', async () => {
  const config = { conditions: [yes, { conditions: [yes, bad] }] }
  expect(await outputOf('if-else', config, { trigger })).toMatch(/^failed: condition 2\.2: could not resolve/)
})

test('a pattern that would block a native matcher takes no time', async () => {
  const started = process.threadCpuUsage()
  expect(await answer(`${'a'.repeat(5_000)}!`, 'matches', '^(a+)+$')).toBe(false)
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

const deep = { conditions: [{ conditions: [{ conditions: [{ conditions: [yes] }] }] }] }

test.for<[Record<string, unknown>, string[]]>([
  [{ conditions: [yes] }, []],
  [{ conditions: [{ left: null, op: 'is_empty' }] }, []],
  [{}, ['conditions is required']],
  [{ conditions: [] }, ['conditions must have at least 1 item']],
  [{ conditions: Array.from({ length: 51 }, () => yes) }, ['conditions must have at most 50 items']],
  [{ match: 'none', conditions: [7] }, ['match must be one of: all, any', 'conditions.0 must be an object']],
  [
    { conditions: [{ op: 'like' }] },
    [
      'conditions.0.left is required',
      'conditions.0.op must be one of: eq, neq, gt, gte, lt, lte, contains, not_contains, starts_with, ends_with, ' +
        'is_empty, is_not_empty, exists, not_exists, is_true, is_false, matches',
    ],
  ],
  [
    { conditions: [{ match: 'x', conditions: [] }] },
    ['conditions.0.match must be one of: all, any', 'conditions.0.conditions must have 1 to 50 conditions'],
  ],
  [deep, ['conditions.0.conditions.0.conditions.0 must be nested at most 3 levels deep']],
  [
    { conditions: [{ left: 'x', op: 'matches', right: '(' }] },
    ['conditions.0.right is not a valid regular expression: missing closing ): `(`'],
  ],
  [{ conditions: [{ left: 'x', op: 'matches', right: '{{ trigger.s }}(' }] }, []],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('if-else', config)).toEqual(expected)
})

test('both sides are templates, the unused one of a unary operator is not', () => {
  const config = {
    conditions: [
      { left: 'a', op: 'eq', right: 'b' },
      { conditions: [{ left: 'c', op: 'exists', right: 'd' }] },
    ],
  }
  expect(NODE_TYPES.get('if-else')?.templates?.(config)).toEqual([
    { path: 'conditions.0.left', value: 'a' },
    { path: 'conditions.0.right', value: 'b' },
    { path: 'conditions.1.conditions.0.left', value: 'c', mayBeMissing: true, testsValue: true },
  ])
})

test('the trace has the compared values, up to the one that decided', async () => {
  const conditions = [
    { left: '{{ trigger.n }}', op: 'gt', right: '{{ trigger.list.1 }}' },
    {
      match: 'any',
      conditions: [
        { left: MISSING, op: 'exists' },
        { left: 'is {{ trigger.s }}', op: 'is_empty' },
      ],
    },
    { left: 1, op: 'eq', right: 1 },
  ]
  const { input } = await executeNode('if-else', { conditions }, { trigger })
  expect(input).toEqual([
    { condition: '1', left: 5, op: 'gt', right: 2 },
    { condition: '2.1', op: 'exists' },
    { condition: '2.2', left: 'is hi', op: 'is_empty' },
  ])
  const failing = executeNode('if-else', { conditions: [{ left: 1, op: 'gt', right: 'x' }] }, { trigger })
  await expect(failing).rejects.toMatchObject({
    trace: { input: [{ condition: '1', left: 1, op: 'gt', right: 'x' }] },
  })
})

test('a field of a form that was omitted does not exist, although a token of it is null', async () => {
  const body = { nick: null, name: 'Ana' }
  const branch = async (left: string, op: string) => {
    const setting = { trigger: { body }, answers: ['nick', 'name'] }
    return outputOf('if-else', { conditions: [{ left, op }] }, setting)
  }
  expect(await branch('{{ trigger.body.nick }}', 'exists')).toEqual({ branch: 'false' })
  expect(await branch('{{ trigger.body.nick }}', 'not_exists')).toEqual({ branch: 'true' })
  expect(await branch('{{ trigger.body.nick }}', 'is_empty')).toEqual({ branch: 'true' })
  expect(await branch('{{ trigger.body.name }}', 'exists')).toEqual({ branch: 'true' })
})
