import { describe, expect, test } from 'vitest'
import { prefixedNames } from './operation-names.ts'
import { readOperations } from './read-operations.ts'

const document = (paths: object, more: object = {}) =>
  JSON.stringify({ openapi: '3.0.3', servers: [{ url: 'https://shop.example' }], paths, ...more })

/** The outcome for the operations of a document. */
function read(text: string, allowed: string[] | null = null) {
  const found = readOperations({ text, address: null, allowed })
  return {
    names: found.ok ? found.operations.map(({ name }) => name) : null,
    leftOut: Object.fromEntries(found.leftOut.map(({ name, reason }) => [name, reason])),
    problem: found.ok ? null : found.problem,
  }
}

const GOOD = { get: { operationId: 'good' } }
const body = (content: object, more: object = {}) => ({ requestBody: { required: true, content, ...more } })
const string = { type: 'string' }
const binary = { type: 'string', format: 'binary' }

describe('an operation that cannot be sent completely is omitted with a reason, and the others are kept', () => {
  test.each<[string, object, string]>([
    [
      'post',
      body({ 'application/octet-stream': { schema: binary } }),
      'Its body is application/octet-stream, which is not supported.',
    ],
    [
      'post',
      body({ 'application/octet-stream': {} }, { required: false }),
      'Its body is application/octet-stream, which is not supported.',
    ],
    [
      'post',
      body({ 'application/xml': { schema: { type: 'object' } } }),
      'Its body is application/xml, which is not supported.',
    ],
    [
      'post',
      body({ 'text/plain': { schema: binary } }),
      'Its body is a file (text/plain), which is not supported.',
    ],
    ['post', body({ 'image/*': { schema: binary } }), 'Its body is image/*, which is not supported.'],
    ['post', body({}), 'Its body is required, but no media type is given.'],
    [
      'post',
      { requestBody: { $ref: 'https://elsewhere.example/b' } },
      'Its request body is described outside the document, or nowhere.',
    ],
    ['get', body({ 'application/json': {} }), 'It needs a body, which a GET cannot have.'],
    ['trace', {}, 'TRACE is never sent.'],
    [
      'post',
      body({ 'application/x-www-form-urlencoded': { schema: { type: 'array' } } }),
      'Its body is application/x-www-form-urlencoded, but its schema is of the type array and describes no fields.',
    ],
    [
      'post',
      body({ 'application/x-www-form-urlencoded': { schema: { properties: { f: binary } } } }),
      'Its field f is a file, which a form that is application/x-www-form-urlencoded cannot carry.',
    ],
    [
      'post',
      body({
        'multipart/form-data': {
          schema: { properties: { x: { type: 'object' } } },
          encoding: { x: { contentType: 'application/xml' } },
        },
      }),
      'Its field x is application/xml, which is not supported.',
    ],
    [
      'post',
      body({
        'application/x-www-form-urlencoded': {
          schema: { properties: { x: string } },
          encoding: { x: { style: 'matrix' } },
        },
      }),
      'Its field x has the style matrix, which is not supported there.',
    ],
    [
      'post',
      body({
        'multipart/form-data': {
          schema: { properties: { x: string } },
          encoding: { x: { headers: { 'X-A': { required: true } } } },
        },
      }),
      'Its field x needs its own headers, which are not supported.',
    ],
    [
      'get',
      { parameters: [{ name: 'a', in: 'query', style: 'simple' }] },
      'Its parameter a has the style simple, which is not supported there.',
    ],
    [
      'get',
      { parameters: [{ name: 'a', in: 'query', style: 'odd' }] },
      'Its parameter a has the style odd, which is not supported there.',
    ],
    [
      'get',
      { parameters: [{ name: 'a', in: 'matrix' }] },
      'Its parameter a has a place that is not supported.',
    ],
    [
      'get',
      { parameters: [{ name: 'a', in: 'query', content: { 'application/xml': {} } }] },
      'Its parameter a is application/xml, which is not supported.',
    ],
    [
      'get',
      { parameters: [{ $ref: '#/components/parameters/none' }] },
      'One of its parameters has no name, or its reference leads to nothing.',
    ],
    ['get', { parameters: [{ name: 'a', in: 'path' }] }, 'Its path has no place for its parameter a.'],
    [
      'get',
      { servers: [{ url: 'https://a b.example' }] },
      'Its address must have no fragment, backslash, space or control character, and no braces but {name} and {{ context.path }}.',
    ],
  ])('%s %j', (method, operation, reason) => {
    const paths = { '/good': GOOD, '/bad': { [method]: { operationId: 'bad', ...operation } } }
    expect(read(document(paths))).toEqual({ names: ['good'], leftOut: { bad: reason }, problem: null })
    expect(read(document(paths), ['bad']).problem).toBe(`The operation bad cannot be offered: ${reason}`)
  })

  test('an optional body of a GET is not sent, as OpenAPI 3.0 says', () => {
    // Each GET of Stripe's document (https://github.com/stripe/openapi) has an empty request body.
    const form = body(
      { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      { required: false },
    )
    expect(read(document({ '/a': { get: { operationId: 'a', ...form } } })).names).toEqual(['a'])
  })

  test('an unknown name is reported, and the others are offered', () => {
    expect(read(document({ '/good': GOOD }), ['good', 'gone'])).toEqual({
      names: ['good'],
      leftOut: { gone: 'Operation not found in the document.' },
      problem: null,
    })
    expect(read(document({ '/good': GOOD }), ['gone']).problem).toBe('The document has no operation gone.')
  })

  test('with too many operations, the reasons are reported too', () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, n) => [`/${n}`, { get: { operationId: `op${n}` } }]),
    )
    const upload = { post: { operationId: 'upload', ...body({ 'image/png': {} }) } }
    const found = readOperations({
      text: document({ '/upload': upload, ...many }),
      address: null,
      allowed: null,
    })
    expect(found).toMatchObject({
      ok: false,
      leftOut: [{ name: 'upload', reason: 'Its body is image/png, which is not supported.' }],
    })
    expect(found.ok ? null : found.names).toHaveLength(70)
  })
})

describe('names of operations', () => {
  const get = (operationId?: string) => ({ get: operationId === undefined ? {} : { operationId } })

  test('that would be equal are distinguished by the operation, not by its position in the document', () => {
    const paths = {
      '/a': get('orders.get'),
      '/b': get('orders/get'),
      '/c': get('orders_get'),
      '/d': get('other'),
    }
    const { names } = read(document(paths))
    expect(names).toEqual([
      expect.stringMatching(/^orders_get_[0-9a-f]{6}$/),
      expect.stringMatching(/^orders_get_[0-9a-f]{6}$/),
      'orders_get',
      'other',
    ])
    expect(new Set(names).size).toBe(4)
    const turned = Object.fromEntries(Object.entries({ ...paths, '/e': get('orders get') }).toReversed())
    expect(read(document(turned)).names?.slice(1).toReversed()).toEqual(names)
  })

  test.each<[string, object]>([
    ['64 equal characters', { '/a': get(`${'x'.repeat(64)}a`), '/b': get(`${'x'.repeat(64)}b`) }],
    [
      'paths with and without braces',
      { '/users/me': get(), '/users/{me}': { get: { parameters: [{ name: 'me', in: 'path' }] } } },
    ],
    ['the same id twice', { '/a': get('same'), '/b': get('same') }],
    ['no letters at all', { '/ä': get(), '/ö': get() }],
  ])('with %s are two', (_, paths) => {
    const { names } = read(document(paths))
    expect(new Set(names).size).toBe(2)
    for (const name of names ?? []) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
  })

  test('an operation is chosen by its id, by its name, and by the name that it shares with others', () => {
    const text = document({ '/a': get('orders.get'), '/b': get('orders/get') })
    const all = read(text).names ?? []
    expect(read(text, ['orders.get']).names).toEqual([all[0]])
    expect(read(text, [all[1] ?? '']).names).toEqual([all[1]])
    expect(read(text, ['orders_get']).names).toEqual(all)
  })

  test('with a prefix that would be truncated to the same text are distinguished', () => {
    const long = `${'x'.repeat(58)}`
    const names = prefixedNames('shop', ['a', `${long}yy`, `${long}yz`, long])
    expect(names[0]).toBe('shop_a')
    expect(names[3]).toBe(`shop_${long}`)
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name.length).toBeLessThanOrEqual(64)
  })
})

describe('the budget of a document', () => {
  test('circular references and endless schemas are cut', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
    const self = { $ref: '#/components/schemas/Self' }
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    }
    const json = (name: string) => ({
      post: {
        operationId: name,
        ...body({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }),
      },
    })
    const text = document(
      { '/a': json('Node'), '/b': json('Self'), '/c': json('Wide') },
      { components: { schemas: { Node: node, Self: self, Wide: wide } } },
    )
    expect(read(text)).toEqual({
      names: ['Node', 'Self'],
      leftOut: { Wide: 'The schema of its arguments is larger than 32 KB.' },
      problem: null,
    })
  })

  test('naming thousands of operations takes time linear in the document', () => {
    const paths = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`/${n}`, get('same')]))
    const found = readOperations({ text: document(paths), address: null, allowed: null })
    expect(found.ok ? null : found.names).toHaveLength(500)
    function get(operationId: string) {
      return { get: { operationId } }
    }
  })
})
