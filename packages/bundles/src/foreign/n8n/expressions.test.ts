import { expect, test } from 'vitest'
import { readLiteral, readPath, splitTemplate } from './expressions.ts'

const PATHS: readonly [string, string | null, string[]][] = [
  ['$json.a.b', null, ['a', 'b']],
  ['$json["first name"][0]', null, ['first name', '0']],
  ["$json?.a?.['b']", null, ['a', 'b']],
  ['$json', null, []],
  ['$input.item.json.a', null, ['a']],
  ['$input.first().json.a', null, ['a']],
  ['$node["HTTP Request"].json["x"]', 'HTTP Request', ['x']],
  ['$node.Webhook.json.x', 'Webhook', ['x']],
  ['$item("0").$node["A"].json["x"]', 'A', ['x']],
  ["$('When clicked').item.json.x", 'When clicked', ['x']],
  ["$('A').first().json.x[1].y", 'A', ['x', '1', 'y']],
  ["$('A').all()[0].json.x", 'A', ['x']],
  ['$items("A")[0].json.x', 'A', ['x']],
]

test.for(PATHS)('%s is a path', ([expression, node, keys]) => {
  expect(readPath(expression)).toEqual({ node, keys, asText: false })
})

test.for([
  '$json.a.toUpperCase()',
  '$json.a + 1',
  '$json.length > 3',
  '$now',
  '$env.KEY',
  "$('A').all()",
  "$('A').params.x",
  '$jsonx.a',
  '$json.',
  '$json[a]',
])('%s computes, so it does not become a token', (expression) => {
  expect(readPath(expression)).toBe(null)
})

test('a value that is made text is known as such', () => {
  const path = { node: null, keys: ['a'], asText: true }
  expect(readPath('JSON.stringify($json.a)')).toEqual(path)
  expect(readPath('JSON.stringify($json.a, null, 2)')).toEqual(path)
  expect(readPath('$json.a.toString()')).toEqual(path)
  expect(readPath("String($('A').first().json.a)")).toEqual({ ...path, node: 'A' })
})

test('literals keep their type', () => {
  expect(['true', 'null', '-1.5', '"a"', "'b'", 'a'].map(readLiteral)).toEqual([
    true,
    null,
    -1.5,
    'a',
    'b',
    undefined,
  ])
})

test('a template is split at its expressions, even with braces and quotes in them', () => {
  expect(splitTemplate('a {{ $json.x }} b')).toEqual([
    { text: 'a ' },
    { expression: '$json.x' },
    { text: ' b' },
  ])
  expect(splitTemplate('{{ {a: {b: 1}} }}')).toEqual([{ expression: '{a: {b: 1}}' }])
  expect(splitTemplate('{{ "}}" + 1 }}c')).toEqual([{ expression: '"}}" + 1' }, { text: 'c' }])
  expect(splitTemplate("{{ // it's\n 1 }}")).toEqual([{ expression: "// it's\n 1" }])
  expect(splitTemplate('{{ open')).toEqual([{ text: '{{ open' }])
})
