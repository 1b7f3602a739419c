import { expect, test } from 'vitest'
import type { InterpolationScope } from './interpolation-scope.ts'
import { resolveText, resolveValue } from './resolve.ts'

// Table V2.

const outputs = new Map<string, unknown>([
  ['fetch', { title: 'T', body: 'B', url: 'U' }],
  ['nul', null],
  ['arr', [1, 2]],
])
const scope: InterpolationScope = {
  trigger: {
    n: 5,
    s: 'hi',
    b: false,
    e: '',
    z: null,
    o: { a: 1 },
    list: [{ id: 7 }, { id: 8 }],
    d: '{{ trigger.n }}',
    m: '$& $1',
    body: { 'order-id': 'A-1', 'first name': 'Ann' },
  },
  upstream: (nodeId) =>
    outputs.has(nodeId)
      ? { ok: true, value: outputs.get(nodeId) }
      : { ok: false, reason: `${nodeId} has no output` },
  variables: new Map([['total', 3]]),
  loop: { item: { sku: 'x' }, index: 0 },
}

test.for<[string, unknown]>([
  ['{{ trigger.n }}', 5],
  ['{{trigger.n}}', 5],
  [' {{ trigger.n }} ', 5],
  ['\n {{ trigger.n }}\t\n', 5],
  ['n={{ trigger.n }}', 'n=5'],
  ['{{ trigger.b }}', false],
  ['{{ trigger.o }}', { a: 1 }],
  ['o={{ trigger.o }}', 'o={"a":1}'],
  ['{{ trigger.z }}', null],
  ['z={{ trigger.z }}', 'z=null'],
  ['{{ trigger.list.0.id }}', 7],
  ['{{ trigger.body.order-id }}', 'A-1'],
  ['{{ trigger.body.first name }}', 'Ann'],
  ['x{{ trigger.s }}{{ trigger.n }}', 'xhi5'],
  ['{{ trigger }}', scope.trigger],
  ['{{ trigger.e }}', ''],
  ['{{ upstream.nul.output }}', null],
  ['{{ upstream.arr.output.1 }}', 2],
  ['{{ variables.total }}', 3],
  ['{{ loop.item.sku }}-{{ loop.index }}', 'x-0'],
  ['\\{{ trigger.n }}', '{{ trigger.n }}'],
  ['a \\{{ b {{ trigger.n }}', 'a {{ b 5'],
  ['{{ trigger.d }}', '{{ trigger.n }}'],
  ['{{ trigger.m }}!', '$& $1!'],
  ['{{{ trigger.n }}}', '{5}'],
  ['{"k":{{ trigger.o }}}', '{"k":{"a":1}}'],
  ['open {{ trigger.n', 'open {{ trigger.n'],
  ['{ "a": 1 } }}', '{ "a": 1 } }}'],
])('%j resolves to %j', ([template, value]) => {
  expect(resolveValue(template, scope)).toEqual({ ok: true, value })
})

test.for<[string, string]>([
  ['{{ trigger.z.y }}', '"y" is not in "z" of the trigger, which is null'],
  ['{{ trigger.s.0 }}', '"0" is not in "s" of the trigger, which is a string'],
  ['{{ trigger.n.length }}', '"length" is not in "n" of the trigger, which is a number'],
  ['{{ trigger.list.2 }}', '"2" is not an element of "list" of the trigger, a list of 2 elements'],
  ['{{ trigger.list.-1 }}', '"-1" is not an element of "list" of the trigger, a list of 2 elements'],
  ['{{ trigger.list.00 }}', '"00" is not an element of "list" of the trigger, a list of 2 elements'],
  ['{{ trigger.list.length }}', '"length" is not an element of "list" of the trigger, a list of 2 elements'],
  ['{{ trigger.__proto__ }}', '"__proto__" is not in the trigger (has: n, s, b, e, z, o, list, d, m, body)'],
  [
    '{{ trigger.constructor }}',
    '"constructor" is not in the trigger (has: n, s, b, e, z, o, list, d, m, body)',
  ],
  ['{{ trigger..n }}', 'a name between two dots is missing'],
  ['{{ trigger. n }}', 'there is space around a dot'],
  ['{{ a + b }}', '"a + b" is not one of: trigger, upstream, variables, loop'],
  ['{{ "a" }}', '""a"" is not one of: trigger, upstream, variables, loop'],
  ['{{ Trigger.n }}', '"Trigger" is not one of: trigger, upstream, variables, loop'],
  ['{{ env.HOME }}', '"env" is not one of: trigger, upstream, variables, loop'],
  ['{{ trigger.n | upper }}', '"n | upper" is not in the trigger (has: n, s, b, e, z, o, list, d, m, body)'],
  ['{{ upstream.fetch.title }}', 'write upstream.<nodeId>.output'],
  [
    '{{ upstream.fetch.output.titel }}',
    '"titel" is not in the output of fetch (has: title, body, url). Did you mean "title"?',
  ],
  ['{{ upstream.ghost.output }}', 'ghost has no output'],
  ['{{ variables }}', 'write variables.<name>'],
  ['{{ loop.foo }}', 'write loop.item or loop.index'],
  ['{{ variables.nope }}', 'variable "nope" was never set'],
])('%s cannot be resolved: %s', ([token, reason]) => {
  const failure = { ok: false, error: `could not resolve ${token}: ${reason}` }
  expect(resolveValue(token, scope)).toEqual(failure)
  expect(resolveValue({ rows: ['fine', { deep: `text ${token}` }] }, scope)).toEqual(failure)
  expect(resolveText(`in text ${token}`, scope)).toEqual(failure)
})

test.for(['{{}}', '{{ }}'])('%s names the empty token', (token) => {
  expect(resolveValue(token, scope)).toEqual({ ok: false, error: 'could not resolve {{ }}: it is empty' })
})

test('loop.* does not exist outside a body', () => {
  expect(resolveValue('{{ loop.item }}', { ...scope, loop: null })).toEqual({
    ok: false,
    error: 'could not resolve {{ loop.item }}: it is not in the body of a Loop',
  })
})

test('a scheduled run has an empty payload', () => {
  expect(resolveValue('{{ trigger.foo }}', { ...scope, trigger: {} })).toEqual({
    ok: false,
    error: 'could not resolve {{ trigger.foo }}: "foo" is not in the trigger (it is empty)',
  })
})

test('text is made of every type', () => {
  const text = (template: string) => resolveText(template, scope)
  expect(text('{{ trigger.n }}')).toEqual({ ok: true, value: '5' })
  expect(text(' {{ trigger.o }}\n')).toEqual({ ok: true, value: '{"a":1}' })
  expect(text('{{ trigger.z }}')).toEqual({ ok: true, value: 'null' })
  expect(text('{{ trigger.s }}')).toEqual({ ok: true, value: 'hi' })
  expect(text('plain ')).toEqual({ ok: true, value: 'plain ' })
})

test('strings inside a value keep their types, keys are unchanged', () => {
  const value = JSON.parse(
    '{"{{ trigger.n }}": ["{{ trigger.n }}", 1, null], "__proto__": "{{ trigger.s }}"}',
  )
  const resolved = resolveValue(value, scope)
  expect(JSON.stringify(resolved)).toBe('{"ok":true,"value":{"{{ trigger.n }}":[5,1,null],"__proto__":"hi"}}')
})

test('a field over 1 MB names its size and the limit', () => {
  const large = { ...scope, trigger: 'x'.repeat(700_000) }
  expect(resolveText('{{ trigger }}{{ trigger }}', large)).toEqual({
    ok: false,
    error: 'is 1.4 MB, more than the 1 MB of a field',
  })
})

test('a token longer than a message is truncated', () => {
  const resolved = resolveValue(`{{ trigger.${'k'.repeat(5_000)} }}`, scope)
  expect(resolved.ok ? '' : resolved.error).toHaveLength(450)
})
