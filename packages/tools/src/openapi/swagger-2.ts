import type { JsonObject } from '@troupe/contract'
import { followed } from './local-reference.ts'
import { NotOffered } from './operation-request.ts'
import { schemaOfParameter } from './parameters.ts'
import type { RequestBody } from './request-body.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

function consumed(document: JsonObject, operation: JsonObject): string[] {
  const list = Array.isArray(operation.consumes) ? operation.consumes : document.consumes
  return Array.isArray(list) ? list.filter((type) => typeof type === 'string') : []
}

/** The parameters of an operation that form its body, those of the path item first. */
function bodyParameters(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const list of [item.parameters, operation.parameters]) {
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = followed(document, given)
      if (parameter?.in === 'body' || parameter?.in === 'formData') {
        found.set(`${parameter.in} ${parameter.in === 'body' ? '' : String(parameter.name)}`, parameter)
      }
    }
  }
  return [...found.values()]
}

/**
 * The body of an operation of Swagger 2.0 in OpenAPI 3's form (https://swagger.io/specification/v2/#parameter-object);
 * null if it has none.
 */
export function swaggerBody(
  document: JsonObject,
  item: JsonObject,
  operation: JsonObject,
): RequestBody | null {
  const parameters = bodyParameters(document, item, operation)
  const whole = parameters.find((parameter) => parameter.in === 'body')
  const fields = parameters.filter((parameter) => parameter.in === 'formData')
  if (whole && fields.length > 0)
    throw new NotOffered('It has both a body and form fields, which exclude each other.')
  const types = consumed(document, operation)
  if (whole) {
    const media = { schema: whole.schema ?? {} }
    const content = (types.length === 0 ? ['application/json'] : types).map((type) => [type, media])
    return { required: whole.required === true, content: Object.fromEntries(content) }
  }
  if (fields.length === 0) return null
  const hasFiles = fields.some(({ type }) => type === 'file')
  const properties = fields.map((field) => [String(field.name), schemaOf(field)])
  const encoding = fields.flatMap((field) => {
    const { name, type, collectionFormat = 'csv' } = field
    return type === 'array' ? [[String(name), { collectionFormat }]] : []
  })
  const media = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: fields.flatMap((field) => (field.required === true ? [String(field.name)] : [])),
    },
    encoding: Object.fromEntries(encoding),
  }
  const type = hasFiles || (types.includes(MULTIPART) && !types.includes(FORM)) ? MULTIPART : FORM
  return { required: fields.some(({ required }) => required === true), content: { [type]: media } }
}

function schemaOf(field: JsonObject): JsonObject {
  const { type, ...own } = schemaOfParameter(field)
  const described = typeof field.description === 'string' ? { description: field.description } : {}
  return { ...own, ...described, ...(type === 'file' ? { type: 'string', format: 'binary' } : { type }) }
}

/** The address in Swagger 2.0, in the form of OpenAPI 3's servers. */
export function swaggerServers(document: JsonObject, operation: JsonObject): JsonObject[] {
  const { host, basePath } = document
  const path = typeof basePath === 'string' ? basePath : '/'
  if (typeof host !== 'string') return [{ url: path }]
  const schemes = [operation.schemes, document.schemes].find((list) => Array.isArray(list) && list.length > 0)
  const given = Array.isArray(schemes) ? schemes : ['https']
  const scheme = given.includes('https') ? 'https' : given.includes('http') ? 'http' : 'https'
  return [{ url: `${scheme}://${host}${path.startsWith('/') ? path : `/${path}`}` }]
}

/** Whether a document is Swagger 2.0. */
export function isSwagger2({ swagger }: JsonObject): boolean {
  return swagger === '2.0' || swagger === 2
}
