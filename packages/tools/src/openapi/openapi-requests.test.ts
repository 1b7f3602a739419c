import { describe, expect, test } from 'vitest'
import { buildOperationRequest } from './build-operation-request.ts'
import { readOperations } from './read-operations.ts'

const SERVER = 'https://shop.example/v1'

/** The request of a call of the only operation of a document. */
function sent(operation: object, input: object, { path = '/a', method = 'post', more = {} } = {}) {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: SERVER }],
    paths: { [path]: { [method]: operation } },
    ...more,
  }
  const read = readOperations({ text: JSON.stringify(document), address: null, allowed: null })
  if (!read.ok) throw new Error(read.problem)
  const [request] = read.operations
  if (!request) throw new Error('There is an operation.')
  const built = buildOperationRequest(request, { input: { ...input }, context: {} })
  if (!built.ok) return { problem: built.outcome.message }
  const { url, headers, body } = built.request
  const text = typeof body === 'string' || body === null ? body : new TextDecoder().decode(body)
  return { url: url.href.slice(SERVER.length), headers: Object.fromEntries(headers), body: text, bytes: body }
}

const RGB = { R: 100, G: 200, B: 150 }
const COLORS = ['blue', 'black', 'brown']

// The table "Style Examples" of https://spec.openapis.org/oas/v3.1.1.html, with `|` and spaces encoded as in a URL.
describe('a parameter of a style', () => {
  const parameter = (place: string, style: string, explode: boolean) => ({
    parameters: [{ name: 'color', in: place, style, explode, schema: {} }],
  })

  test.each<[string, boolean, unknown, string]>([
    ['simple', false, 'blue', 'blue'],
    ['simple', false, COLORS, 'blue,black,brown'],
    ['simple', false, RGB, 'R,100,G,200,B,150'],
    ['simple', true, COLORS, 'blue,black,brown'],
    ['simple', true, RGB, 'R=100,G=200,B=150'],
    ['label', false, 'blue', '.blue'],
    ['label', false, COLORS, '.blue,black,brown'],
    ['label', false, RGB, '.R,100,G,200,B,150'],
    ['label', true, COLORS, '.blue.black.brown'],
    ['label', true, RGB, '.R=100.G=200.B=150'],
    ['matrix', false, 'blue', ';color=blue'],
    ['matrix', false, '', ';color'],
    ['matrix', false, COLORS, ';color=blue,black,brown'],
    ['matrix', false, RGB, ';color=R,100,G,200,B,150'],
    ['matrix', true, COLORS, ';color=blue;color=black;color=brown'],
    ['matrix', true, RGB, ';R=100;G=200;B=150'],
    ['simple', false, 'a/b c,d', 'a%2Fb%20c%2Cd'],
  ])('%s, exploded %s: %j in a path is %s', (style, explode, color, text) => {
    expect(
      sent(parameter('path', style, explode), { color }, { path: '/a/{color}/z', method: 'get' }).url,
    ).toBe(`/a/${text}/z`)
  })

  test.each<[string, boolean, unknown, string]>([
    ['form', true, 'blue', '?color=blue'],
    ['form', true, '', '?color='],
    ['form', true, COLORS, '?color=blue&color=black&color=brown'],
    ['form', true, RGB, '?R=100&G=200&B=150'],
    ['form', false, COLORS, '?color=blue,black,brown'],
    ['form', false, RGB, '?color=R,100,G,200,B,150'],
    ['spaceDelimited', false, COLORS, '?color=blue%20black%20brown'],
    ['pipeDelimited', false, COLORS, '?color=blue%7Cblack%7Cbrown'],
    ['deepObject', true, RGB, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    // OpenAPI has no rule for lists and objects in objects; Stripe, qs and PHP read them like this.
    [
      'deepObject',
      true,
      { a: { gt: 1 }, b: ['x', { c: true }], d: null },
      '?color%5Ba%5D%5Bgt%5D=1&color%5Bb%5D%5B0%5D=x&color%5Bb%5D%5B1%5D%5Bc%5D=true',
    ],
    ['deepObject', true, ['x', 'y'], '?color%5B0%5D=x&color%5B1%5D=y'],
    ['form', true, [], ''],
    ['form', false, [], ''],
    ['form', true, null, ''],
    ['form', true, 'a&b=c +', '?color=a%26b%3Dc%20%2B'],
  ])('%s, exploded %s: %j in a query is %s', (style, explode, color, text) => {
    expect(sent(parameter('query', style, explode), { color }, { method: 'get' }).url).toBe(`/a${text}`)
  })

  test('reserved characters are kept where the document permits them, but none ends the pair', () => {
    const reserved = { parameters: [{ name: 'q', in: 'query', allowReserved: true, schema: {} }] }
    expect(sent(reserved, { q: 'a/b?c:@&=#+' }, { method: 'get' }).url).toBe('/a?q=a/b?c:@%26%3D%23%2B')
  })

  test('in headers and cookies, and as JSON', () => {
    const json = { content: { 'application/json': { schema: { type: 'object' } } } }
    const parameters = [
      { name: 'X-List', in: 'header', schema: {} },
      { name: 'X-Object', in: 'header', explode: true, schema: {} },
      { name: 'session', in: 'cookie', schema: {} },
      { name: 'seen', in: 'cookie', schema: {} },
      { name: 'list', in: 'cookie', explode: false, schema: {} },
      { name: 'filter', in: 'query', ...json },
      { name: 'Authorization', in: 'header', schema: {} },
    ]
    const input = {
      'X-List': COLORS,
      'X-Object': RGB,
      session: 'a;b',
      seen: [1, 2],
      list: [1, 2],
      filter: { a: [1] },
    }
    expect(sent({ parameters }, input, { method: 'get' })).toMatchObject({
      url: '/a?filter=%7B%22a%22%3A%5B1%5D%7D',
      headers: {
        'x-list': 'blue,black,brown',
        'x-object': 'R=100,G=200,B=150',
        cookie: 'session=a%3Bb; seen=1; seen=2; list=1,2',
      },
      body: null,
    })
    expect(sent({ parameters }, { 'X-List': 'ж' }, { method: 'get' })).toEqual({
      problem: 'X-List has characters that a header cannot carry.',
    })
  })

  test('a value never leaves its segment of the path', () => {
    const path = '/a/{color}/z'
    for (const [style, color] of [
      ['simple', '..'],
      ['simple', '.'],
      ['label', '.'],
    ] as const) {
      expect(sent(parameter('path', style, false), { color }, { path, method: 'get' })).toEqual({
        problem: 'color must not be dots alone in a path.',
      })
    }
    expect(sent(parameter('path', 'simple', false), { color: [] }, { path, method: 'get' })).toEqual({
      problem: 'color must not be empty in a path.',
    })
  })
})

const CHARGE = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    id: { type: 'string', readOnly: true },
  },
}
const INPUT = { amount: 5, tags: ['a b', 'c&d'], address: { city: 'Bern' } }
const body = (mediaType: string, media: object = { schema: CHARGE }, more: object = {}) => ({
  requestBody: { required: true, content: { [mediaType]: media }, ...more },
})

describe('a form', () => {
  const FORM = 'application/x-www-form-urlencoded'

  // "Encoding the x-www-form-urlencoded Media Type" of OpenAPI 3.1.1: texts unchanged, objects as JSON.
  test('has texts unchanged, each item of a list, and objects as JSON', () => {
    const address = encodeURIComponent('{"city":"Bern"}')
    expect(sent(body(FORM), INPUT)).toMatchObject({
      headers: { 'content-type': FORM },
      body: `amount=5&tags=a+b&tags=c%26d&address=${address}`,
    })
    expect(sent(body(FORM), { amount: 5 }).body).toBe('amount=5')
    expect(sent(body(FORM), {})).toMatchObject({ body: '', headers: { 'content-type': FORM } })
    expect(sent(body(FORM, { schema: CHARGE }, { required: false }), {}).body).toBeNull()
  })

  // The body of `PostCustomers` in https://github.com/stripe/openapi (openapi/spec3.json), shortened.
  test('follows the encoding of each field, as Stripe writes it', () => {
    const deep = { explode: true, style: 'deepObject' }
    const media = {
      encoding: { address: deep, expand: deep, metadata: deep, items: deep },
      schema: {
        type: 'object',
        properties: {
          address: {
            anyOf: [
              { type: 'object', properties: { city: { type: 'string' } } },
              { enum: [''], type: 'string' },
            ],
          },
          email: { type: 'string', maxLength: 512 },
          expand: { type: 'array', items: { type: 'string' } },
          metadata: { additionalProperties: { type: 'string' }, type: 'object' },
          items: { type: 'array', items: { type: 'object', properties: { price: { type: 'string' } } } },
        },
      },
    }
    const input = {
      address: { city: 'Bern' },
      email: 'a+b@c.example',
      expand: ['data.customer'],
      metadata: { order: '7' },
      items: [{ price: 'p1' }, { price: 'p2' }],
    }
    const written = sent(body(FORM, media), input).body ?? ''
    expect([...new URLSearchParams(written)]).toEqual([
      ['address[city]', 'Bern'],
      ['email', 'a+b@c.example'],
      ['expand[0]', 'data.customer'],
      ['metadata[order]', '7'],
      ['items[0][price]', 'p1'],
      ['items[1][price]', 'p2'],
    ])
    expect(sent(body(FORM, media), { address: '' }).body).toBe('address=')
  })

  test('has lists in one text, JSON and other encodings where the document requires them', () => {
    const encoding = { tags: { explode: false }, address: { contentType: 'application/json' } }
    expect(sent(body(FORM, { schema: CHARGE, encoding }), INPUT).body).toBe(
      `amount=5&tags=a+b,c%26d&address=${encodeURIComponent('{"city":"Bern"}')}`,
    )
  })

  test('whose fields depend on each other is one argument', () => {
    const media = {
      schema: {
        oneOf: [
          { $ref: '#/components/schemas/A' },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
      encoding: { a: { style: 'deepObject', explode: true } },
    }
    const more = { components: { schemas: { A: { type: 'object', properties: { a: { type: 'object' } } } } } }
    expect(sent(body(FORM, media), { body: { a: { x: 1 }, c: [1, 2] } }, { more }).body).toBe(
      'a%5Bx%5D=1&c=1&c=2',
    )
    expect(sent(body(FORM, media), { body: 'a=b' }, { more })).toEqual({
      problem: 'body must be an object: the body is a form.',
    })
  })
})

describe('multipart/form-data', () => {
  const MULTIPART = 'multipart/form-data'
  /** The parts of a body, read by the platform. */
  async function partsOf(built: ReturnType<typeof sent>) {
    if (!('bytes' in built)) throw new Error(built.problem)
    const response = new Response(built.bytes === null ? null : new Blob([built.bytes]), {
      headers: built.headers ?? {},
    })
    const form = await response.formData()
    return Promise.all(
      [...form].map(async ([name, value]) =>
        typeof value === 'string' ? [name, value] : [name, value.name, value.type, await value.text()],
      ),
    )
  }

  test('has fields, lists and objects as parts', async () => {
    const built = sent(body(MULTIPART), INPUT)
    expect(built.body).toContain(
      'name="address"\r\nContent-Type: application/json\r\n\r\n{"city":"Bern"}\r\n',
    )
    expect(built.body).toContain('name="amount"\r\n\r\n5\r\n')
    const fields = [
      ['amount', '5'],
      ['tags', 'a b'],
      ['tags', 'c&d'],
    ]
    expect(await partsOf(built)).toEqual([...fields, expect.arrayContaining(['address'])])
    expect(sent(body(MULTIPART, { schema: CHARGE }, { required: false }), {}).body).toBeNull()
  })

  // "Considerations for File Uploads": `format: binary` in OpenAPI 3.0, a media type without an encoding in 3.1.
  test('has files from texts and from data: URLs', async () => {
    const file = { type: 'string', format: 'binary', description: 'A picture.' }
    const schema = {
      type: 'object',
      properties: {
        file,
        files: { type: 'array', items: file },
        page: { type: 'string', contentMediaType: 'image/png' },
        'na"me': { type: 'string' },
      },
    }
    const encoding = { file: { contentType: 'image/png, image/jpeg' } }
    const png = `data:image/png;base64,${Buffer.from('\x89PNG', 'latin1').toString('base64')}`
    const built = sent(body(MULTIPART, { schema, encoding }), {
      file: png,
      files: ['one', 'data:text/csv;base64,YQ=='],
      page: 'x',
      na_me: 'y',
    })
    expect(await partsOf(built)).toEqual([
      ['file', 'file.png', 'image/png', expect.any(String)],
      ['files', 'file.txt', 'text/plain', 'one'],
      ['files', 'file.csv', 'text/csv', 'a'],
      ['page', 'file.txt', 'text/plain', 'x'],
      ['na"me', 'y'],
    ])
    const bytes =
      'bytes' in built && built.bytes instanceof Uint8Array ? Buffer.from(built.bytes) : Buffer.alloc(0)
    expect(bytes.includes(Buffer.from('\x89PNG', 'latin1'))).toBe(true)
    expect(sent(body(MULTIPART, { schema }), { file: 'data:image/png;base64,?' })).toEqual({
      problem: 'file is a data: URL whose base64 is not valid.',
    })
  })

  test('follows style and explode since OpenAPI 3.1 only', async () => {
    const media = { schema: CHARGE, encoding: { address: { style: 'deepObject' }, tags: { explode: false } } }
    const of = (openapi: string) => partsOf(sent(body(MULTIPART, media), INPUT, { more: { openapi } }))
    expect(await of('3.1.0')).toEqual([
      ['amount', '5'],
      ['tags', 'a b,c&d'],
      ['address[city]', 'Bern'],
    ])
    expect((await of('3.0.3')).map(([name]) => name)).toEqual(['amount', 'tags', 'tags', 'address'])
  })
})

describe('the media type', () => {
  const json = { schema: { type: 'object', properties: { a: {} } } }
  const text = { schema: { type: 'string' } }

  test.each<[object, object, string, string]>([
    [
      { 'application/xml': json, 'application/json; charset=utf-8': json },
      { a: 1 },
      'application/json; charset=utf-8',
      '{"a":1}',
    ],
    [
      { 'multipart/form-data': json, 'application/x-www-form-urlencoded': json },
      { a: 1 },
      'application/x-www-form-urlencoded',
      'a=1',
    ],
    [
      { 'application/x-www-form-urlencoded': json, 'application/vnd.api+json': json },
      { a: 1 },
      'application/vnd.api+json',
      '{"a":1}',
    ],
    // As Kubernetes offers its PATCH (https://github.com/kubernetes/kubernetes, api/openapi-spec/swagger.json).
    [
      { 'application/json-patch+json': json, 'application/merge-patch+json': json },
      { a: 1 },
      'application/merge-patch+json',
      '{"a":1}',
    ],
    [
      { 'application/json-patch+json': { schema: { type: 'array', items: {} } } },
      { body: [1] },
      'application/json-patch+json',
      '[1]',
    ],
    [{ '*/*': json }, { a: 1 }, 'application/json', '{"a":1}'],
    [{ 'text/plain': {} }, { body: 'x' }, 'text/plain;charset=utf-8', 'x'],
    [{ 'text/plain': text }, { body: 'x ü' }, 'text/plain;charset=utf-8', 'x ü'],
    [{ 'text/x-markdown': text, 'text/plain': text }, { body: 'x' }, 'text/plain;charset=utf-8', 'x'],
    [{ 'application/xml': text }, { body: '<a/>' }, 'application/xml;charset=utf-8', '<a/>'],
  ])('of %j is chosen', (content, input, type, written) => {
    const built = sent({ requestBody: { required: true, content } }, input)
    expect(built).toMatchObject({ headers: { 'content-type': type }, body: written })
  })
})

// https://swagger.io/specification/v2/
describe('Swagger 2.0', () => {
  const swagger = (operation: object, input: object, { method = 'post', more = {}, path = '/a' } = {}) => {
    const document = {
      swagger: '2.0',
      host: 'shop.example',
      basePath: '/v1',
      schemes: ['http', 'https'],
      ...more,
    }
    return sent(operation, input, {
      method,
      path,
      more: { ...document, openapi: undefined, servers: undefined },
    })
  }
  const list = { type: 'array', items: { type: 'string' } }

  test.each([
    ['csv', '?a=x,y%20z'],
    ['ssv', '?a=x%20y%20z'],
    ['tsv', '?a=x%09y%20z'],
    ['pipes', '?a=x%7Cy%20z'],
    ['multi', '?a=x&a=y%20z'],
    [undefined, '?a=x,y%20z'],
  ])('writes a list of the collectionFormat %s', (collectionFormat, query) => {
    const parameters = [{ name: 'a', in: 'query', ...list, collectionFormat }]
    expect(swagger({ parameters }, { a: ['x', 'y z'] }, { method: 'get' }).url).toBe(`/a${query}`)
  })

  test('sends a body as JSON, and form fields as a form or with files in parts', () => {
    const whole = { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }
    const more = { definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } }
    expect(swagger({ parameters: [whole] }, { name: 'Rex' }, { more })).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex"}',
    })
    const fields = [
      { name: 'id', in: 'path', type: 'integer', required: true },
      { name: 'name', in: 'formData', type: 'string', required: true, description: 'Its name.' },
      { name: 'tags', in: 'formData', ...list },
    ]
    expect(
      swagger({ parameters: fields }, { id: 7, name: 'Rex', tags: ['a', 'b'] }, { path: '/pets/{id}' }),
    ).toMatchObject({
      url: '/pets/7',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=Rex&tags=a,b',
    })
    const upload = {
      consumes: ['multipart/form-data'],
      parameters: [...fields.slice(1), { name: 'file', in: 'formData', type: 'file' }],
    }
    const built = swagger(upload, { name: 'Rex', file: 'text' })
    expect(built.headers?.['content-type']).toContain('multipart/form-data; boundary=')
    expect(built.body).toContain('name="file"; filename="file.txt"\r\nContent-Type: text/plain\r\n\r\ntext')
  })

  test('of an XML-only body is omitted', () => {
    const whole = { name: 'pet', in: 'body', schema: { type: 'object' } }
    expect(() => swagger({ consumes: ['application/xml'], parameters: [whole] }, {})).toThrow(
      'cannot be offered: Its body is application/xml, which is not supported.',
    )
  })
})
