const RESOURCES = 600

/** A resource with two operations and a schema that references its neighbours, in a circle. */
function resource(n: number) {
  const name = `Resource${n}`
  const reference = (other: number) => ({ $ref: `#/components/schemas/Resource${other % RESOURCES}` })
  const properties = Object.fromEntries(
    Array.from({ length: 12 }, (_, field) => [
      `field_${field}`,
      {
        type: 'string',
        maxLength: 200,
        description: `The ${field}th field of ${name}, as its owner wrote it.`,
      },
    ]),
  )
  const schema = {
    type: 'object',
    required: ['field_0'],
    properties: {
      ...properties,
      next: reference(n + 1),
      others: { type: 'array', items: reference(n * 7 + 3) },
    },
  }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
  const content = { 'application/json': { schema: reference(n) } }
  const responses = { 200: { description: `The ${name}.`, content } }
  const paths = {
    [`/resources-${n}/{id}`]: {
      get: { operationId: `get${name}`, summary: `Reads a ${name}.`, parameters: [id], responses },
    },
    [`/resources-${n}`]: {
      post: {
        operationId: `create${name}`,
        summary: `Creates a ${name}.`,
        requestBody: { required: true, content },
        responses,
      },
    },
  }
  return { name, schema, paths }
}

/** An OpenAPI document with the size and shape of a large public API: 1,200 operations, with schemas in a circle. */
export function largeDocument(server = 'https://api.example/v1'): string {
  const resources = Array.from({ length: RESOURCES }, (_, n) => resource(n))
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Large', version: '1.0.0' },
    servers: [{ url: server }],
    paths: Object.assign({}, ...resources.map(({ paths }) => paths)),
    components: { schemas: Object.fromEntries(resources.map(({ name, schema }) => [name, schema])) },
  })
}
