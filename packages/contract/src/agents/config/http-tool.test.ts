import { expect, test } from 'vitest'
import { mergeAgentConfig } from './check.ts'
import { parseTemplate } from './template.ts'

const input_schema = { type: 'object', properties: { id: { type: 'string' }, n: {} } }
const context_keys = [{ key: 'shop' }]

function errorsOf(tool: object): string[] {
  const whole = {
    type: 'http',
    name: 'call',
    method: 'GET',
    url: 'https://a.test/{id}',
    input_schema,
    context_keys,
  }
  const merged = mergeAgentConfig({ tools: [{ ...whole, ...tool }] })
  return merged.ok
    ? []
    : merged.errors.map(({ path, message }) => `${path.replace('config.tools.0.', '')} ${message}`)
}

test.each([
  'https://a.test',
  'http://127.0.0.1:8080/{id}?a={n}&b=1+2',
  'HTTPS://{{ context.shop }}.a.test:443/x/{id}.json',
  'https://{{context.shop.host}}/{{ context.shop.id }}',
  'https://[::1]:80/x',
])('%s is the URL of a tool', (url) => {
  expect(errorsOf({ url })).toEqual([])
})

test.each([
  ['{id}', 'must start with http:// or https:// and a host'],
  ['ftp://a.test/', 'must start with http:// or https:// and a host'],
  ['/orders', 'must start with http:// or https:// and a host'],
  ['{id}://a.test/', 'must start with http:// or https:// and a host'],
  ['https://{id}/x', 'must not have an argument in its host or port'],
  ['https://{id}.a.test/x', 'must not have an argument in its host or port'],
  ['https://a.test:{n}/x', 'must not have an argument in its host or port'],
  ['https://a.test{id}', 'must not have an argument in its host or port'],
  ['https://u:p@a.test/', 'must have no user name or password: use a credential'],
  ['https://a.test:99999/', 'is not a URL'],
  ['https://a.test/{missing}', 'names {missing}, which is not a property of input_schema'],
  ['https://a.test/{{ context.token }}', 'names context.token, which is not in context_keys'],
])('%s is refused', (url, message) => {
  expect(errorsOf({ url })).toEqual([`url ${message}`])
})

test.each([
  'https://a.test/x#{id}',
  'https://a.test\\@b.test/',
  'https://a.test/a b',
  'https://a.test/{',
  'https://a.test/{ id }',
  'https://a.test/{{ id }}',
  'https://a.test/?{id}=1',
  'https://a.test/?a=b}',
])('%s is refused for its characters', (url) => {
  expect(errorsOf({ url })).toEqual([expect.stringMatching(/^url must have no fragment, backslash, space/)])
})

test('headers, query and body are checked with their paths', () => {
  const method = 'POST'
  expect(errorsOf({ method, headers: { 'a b': 'x', Host: 'h', 'X-A': 'a\nb', 'x-a': '{nope}' } })).toEqual([
    'headers.a b is not the name of a header',
    'headers.Host is set by the request itself',
    'headers.X-A must be Latin-1 text without line breaks',
    'headers.x-a is given twice',
    'headers.x-a names {nope}, which is not a property of input_schema',
  ])
  expect(errorsOf({ method, headers: { 'Content-Type': 'text/xml' } })).toEqual([
    'headers.Content-Type must be a JSON type: the body is JSON',
  ])
  expect(errorsOf({ query: { a: { b: 1 }, c: ['{n}', '{{ x }}'] } })).toEqual([
    'query.a must be text, a number or a list of them',
    'query.c has {{ }} that is not {{ context.path }}',
  ])
  expect(errorsOf({ method, body: { deep: [{ x: '{nope}' }], y: '{{ z }}' } })).toEqual([
    'body.deep.0.x names {nope}, which is not a property of input_schema',
    'body.y has {{ }} that is not {{ context.path }}',
  ])
  expect(errorsOf({ body: {} })).toEqual(['body a GET has no body'])
  expect(errorsOf({ method, body: ['{id}'] })).toEqual(['body is not an object, so it has no place for n'])
})

test('braces that form no placeholder are text', () => {
  expect(parseTemplate('query { user(id: "{id}") { name } }')).toEqual([
    { kind: 'text', text: 'query { user(id: "' },
    { kind: 'argument', name: 'id' },
    { kind: 'text', text: '") { name } }' },
  ])
})
