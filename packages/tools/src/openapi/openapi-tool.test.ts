import { newId, OrganizationId } from '@troupe/contract'
import { createHeavyWork } from '@troupe/heavy-work'
import { describe, expect, test } from 'vitest'
import { DocumentCache } from './document-cache.ts'
import type { OperationRequest } from './operation-request.ts'
import { readBoundedDocument } from './read-bounded-document.ts'
import { readOperations } from './read-operations.ts'
import { largeDocument } from './testing/large-document.ts'

const ORGANIZATION = newId(OrganizationId)
const TURN = { heavy: createHeavyWork(), owner: 'o' }

const document = (paths: object, more: object = {}) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://{region}.shop.example/v1/', variables: { region: { default: 'eu' } } }],
    paths,
    ...more,
  })

function operationsOf(
  text: string,
  allowed: string[] | null = null,
  address: string | null = null,
): OperationRequest[] {
  const read = readOperations({ text, address, allowed })
  if (!read.ok) throw new Error(read.problem)
  return read.operations
}

function problemOf(text: string, allowed: string[] | null = null): string {
  const read = readOperations({ text, address: null, allowed })
  return read.ok ? 'no problem' : read.problem
}

const ORDERS = {
  '/orders/{order-id}': {
    parameters: [{ name: 'order-id', in: 'path', required: true, schema: { type: 'string' } }],
    put: {
      operationId: 'orders.update!',
      summary: 'Changes an order.',
      parameters: [
        { $ref: '#/components/parameters/Notify' },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        { name: 'session', in: 'cookie', schema: { type: 'string' } },
      ],
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
      },
    },
  },
}
const COMPONENTS = {
  components: {
    parameters: {
      Notify: { name: 'notify', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    },
    schemas: {
      Order: {
        type: 'object',
        required: ['items'],
        properties: {
          id: { type: 'string', readOnly: true },
          notify: { type: 'boolean', nullable: true, example: true },
          count: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
          note: { $ref: 'https://elsewhere.example/note.json' },
          code: { type: 'string', pattern: '^(?=a)b$' },
        },
      },
      Item: {
        type: 'object',
        properties: { sku: { type: 'string' }, parent: { $ref: '#/components/schemas/Item' } },
      },
    },
  },
}

test('parameters and the JSON body of an operation are one schema, and each goes to its place', () => {
  const [operation] = operationsOf(document(ORDERS, COMPONENTS))
  expect(operation).toMatchObject({
    name: 'orders_update_',
    description: 'Changes an order.',
    method: 'PUT',
    url: {
      authority: [{ text: 'eu.shop.example' }],
      path: [{ text: '/v1/orders/' }, { kind: 'argument', name: 'order-id' }],
    },
    parameters: [
      { argument: 'order-id', place: 'path' },
      { argument: 'notify', place: 'query' },
      { argument: 'X-Trace', place: 'header' },
      { argument: 'session', place: 'cookie' },
    ],
    body: {
      kind: 'json',
      mediaType: 'application/json',
      whole: null,
      fields: [
        { argument: 'notify_body', name: 'notify' },
        { name: 'count' },
        { name: 'items' },
        { name: 'note' },
        { name: 'code' },
      ],
    },
  })
  expect(operation?.inputSchema).toEqual({
    type: 'object',
    properties: {
      'order-id': { type: 'string' },
      notify: { type: 'array', items: { type: 'string' } },
      'X-Trace': { type: 'string' },
      session: { type: 'string' },
      notify_body: { type: ['boolean', 'null'] },
      count: { type: 'integer', exclusiveMinimum: 0 },
      items: { type: 'array', items: { $ref: '#/$defs/s1_Item' } },
      note: {},
      code: { type: 'string' },
    },
    required: ['order-id', 'items'],
    additionalProperties: false,
    $defs: {
      s1_Item: {
        type: 'object',
        properties: { sku: { type: 'string' }, parent: { $ref: '#/$defs/s1_Item' } },
      },
    },
  })
})

test('a body that is not a plain object is one argument; an operation without an id is named by its path', () => {
  const schema = { type: 'array', items: { type: 'integer' } }
  const post = { requestBody: { required: true, content: { 'application/json': { schema } } } }
  const [operation] = operationsOf(
    document({ '/ids/{a}/x': { post: { ...post, parameters: [{ name: 'a', in: 'path' }] } } }),
  )
  expect(operation).toMatchObject({
    name: 'post_ids_a_x',
    body: { kind: 'json', whole: 'body' },
    inputSchema: { properties: { a: {}, body: schema }, required: ['a', 'body'] },
  })
})

test('YAML and OpenAPI 3.1 are read, and relative servers start at the address of the document', () => {
  const text = 'openapi: 3.1.0\nservers: [{ url: ../v2 }]\npaths:\n  /a: { get: { operationId: getA } }\n'
  const [operation] = operationsOf(text, null, 'https://shop.example/docs/openapi.yaml')
  expect(operation?.url).toMatchObject({
    scheme: 'https',
    authority: [{ text: 'shop.example' }],
    path: [{ text: '/v2/a' }],
  })
  expect(problemOf(text)).toBe(
    'The operation getA cannot be offered: It has no server with an absolute address.',
  )
})

describe('a document', () => {
  const get = (operationId: string) => ({ get: { operationId } })

  test('yields only the allowed operations', () => {
    const text = document({ '/a': get('a'), '/b': get('b') })
    expect(operationsOf(text, ['b']).map(({ name }) => name)).toEqual(['b'])
    expect(problemOf(text, ['c'])).toBe('The document has no operation c.')
  })

  test.each([
    ['{', 'The document is neither JSON nor YAML.'],
    ['[]', 'The document is neither JSON nor YAML.'],
    ['\n'.repeat(400_000), 'The document has more than 400000 lines of YAML.'],
    ['swagger: "1.2"', 'The document is not OpenAPI 3.0 or 3.1, nor Swagger 2.0.'],
    ['openapi: 3.2.0', 'The document is not OpenAPI 3.0 or 3.1, nor Swagger 2.0.'],
    ['swagger: "2.0"', 'The document has no operations.'],
    [document({}), 'The document has no operations.'],
    [
      document({ '/{x}': get('x') }),
      'The operation x cannot be offered: Its path has {x}, which no parameter describes.',
    ],
    [
      document(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`/${n}`, get(`op${n}`)]))),
      'The document has more than 64 operations: name those to offer in operations.',
    ],
  ])('%.30s is refused with an error message', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('with more operations than a tool may have lists them to choose from, up to a limit', () => {
    const many = (count: number) =>
      document(Object.fromEntries(Array.from({ length: count }, (_, n) => [`/${n}`, get(`op${n}`)])))
    const namesOf = (text: string) => {
      const read = readOperations({ text, address: null, allowed: null })
      return read.ok ? null : read.names
    }
    expect(namesOf(many(64))).toBeNull()
    expect(namesOf(many(70))).toEqual(Array.from({ length: 70 }, (_, n) => `op${n}`))
    expect(namesOf(many(600))).toHaveLength(500)
  })

  test('whose aliases multiply is refused', () => {
    const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`)
    expect(problemOf(`l0: &l0 [x]\n${levels.join('\n')}\nopenapi: 3.0.0`)).toBe(
      'The document is neither JSON nor YAML.',
    )
  })

  test('of more than a megabyte is read off the event loop, its cyclic schemas within a limit', async () => {
    const text = largeDocument()
    expect(text.length).toBeGreaterThan(1024 * 1024)
    const read = await readBoundedDocument(TURN, {
      text,
      address: null,
      allowed: ['getResource7', 'createResource500'],
    })
    if (!read.ok) throw new Error(read.problem)
    expect(read.operations.map(({ name }) => name)).toEqual(['getResource7', 'createResource500'])
    for (const { inputSchema } of read.operations) {
      expect(JSON.stringify(inputSchema).length).toBeLessThan(32 * 1024)
    }
  })

  test('that takes too long is given up', async () => {
    const read = await readBoundedDocument(
      { ...TURN, limits: { timeMs: 1, heapMb: 64 } },
      { text: largeDocument(), address: null, allowed: ['getResource7'] },
    )
    expect(read).toEqual({
      ok: false,
      problem: 'Reading the document takes too much time or memory.',
      leftOut: [],
    })
  })
})

describe('the cache', () => {
  const text = document({ '/a': { get: { operationId: 'a' } } })

  test('requests an address once in five minutes for each organization, and sooner after a failure', async () => {
    let now = 0
    let status = 200
    let asked = 0
    const fetch = async () => {
      asked += 1
      return new Response(text, { status })
    }
    const cache = new DocumentCache({ heavy: TURN.heavy, clock: { now: () => now }, fetch })
    const read = (organization = ORGANIZATION) =>
      cache.operations(organization, { address: 'https://a.test/' }, null)
    expect(await Promise.all([read(), read()])).toMatchObject([{ ok: true }, { ok: true }])
    expect(asked).toBe(1)
    await read(newId(OrganizationId))
    now = 5 * 60_000
    status = 503
    expect(await read()).toEqual({
      ok: false,
      problem: 'The address of the document answered with status 503.',
      leftOut: [],
    })
    now += 10_000
    status = 200
    expect(await read()).toMatchObject({ ok: true })
    expect(asked).toBe(4)
  })

  test('evicts the oldest documents when its total size is exceeded', async () => {
    let asked = 0
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(1_000) } } }
    const post = { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } }
    const fetch = async () => {
      asked += 1
      return new Response(document({ '/a': { post } }))
    }
    const cache = new DocumentCache({
      heavy: TURN.heavy,
      clock: { now: () => 0 },
      fetch,
      maxCharacters: 3_500,
    })
    const read = (n: number) => cache.operations(ORGANIZATION, { address: `https://a.test/${n}` }, null)
    for (const n of [0, 1, 2, 2, 1, 0]) expect(await read(n)).toMatchObject({ ok: true })
    expect(asked).toBe(3)
    await read(3)
    await read(3)
    expect(asked).toBe(4)
    await read(0)
    expect(asked).toBe(5)
  })

  test('refuses documents above 16 MB without reading them to their end', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const cache = new DocumentCache({
      heavy: TURN.heavy,
      clock: { now: () => 0 },
      fetch: async () => new Response(endless),
    })
    expect(await cache.operations(ORGANIZATION, { address: 'https://a.test/' }, null)).toEqual({
      ok: false,
      problem: 'The document is larger than 16 MB.',
      leftOut: [],
    })
    expect(sent).toBeLessThan(20)
  })
})
