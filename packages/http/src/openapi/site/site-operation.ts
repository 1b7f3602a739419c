import { ERRORS, statusOf } from '@troupe/contract'
import type { OperationObject, ParameterObject, ResponseObject } from '../writing/document-types.ts'
import type { JsonSchema, SchemaWriter } from '../writing/schema-writer.ts'
import { errorContent, retryHeaders, sharedResponse } from '../writing/shared-responses.ts'
import { PAGE, type SiteRoute } from './site-route.ts'

/** Responses of the HTTP server itself, in JSON and before any route. */
const EDGE = ['request_timeout', 'uri_too_long', 'expectation_failed', 'headers_too_large'] as const

const SECURITY: Record<NonNullable<SiteRoute['access']>, OperationObject['security']> = {
  person: [{ session: [] }],
  visitor: [{}, { session: [] }],
  operator: [{ adminToken: [] }],
  bearer: [{ bearerKey: [] }],
}

/** Describes a route of the site. */
export function siteOperation(route: SiteRoute, writer: SchemaWriter): OperationObject {
  const {
    id,
    tag,
    summary,
    description,
    params = {},
    query = {},
    headers = {},
    form,
    json,
    takesFile,
    access,
  } = route
  const text: JsonSchema = { type: 'string' }
  const parameters = [
    ...Object.entries(params).map(([name, meaning]) => parameter('path', name, text, meaning)),
    ...Object.entries(query).map(([name, schema]) => parameter('query', name, schema)),
    ...Object.entries(headers).map(([name, meaning]) => parameter('header', name, text, meaning)),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(form ? { requestBody: formBody(form) } : {}),
    ...(json ? { requestBody: { required: true, content: { 'application/json': { schema: json } } } } : {}),
    ...(takesFile ? { requestBody: FILE_BODY } : {}),
    responses: responsesOf(route, writer),
    security: access === undefined ? [] : SECURITY[access],
  }
}

function parameter(
  place: ParameterObject['in'],
  name: string,
  { description: own, ...schema }: JsonSchema,
  description = own,
): ParameterObject {
  const described = description === undefined ? {} : { description }
  return { name, in: place, required: place === 'path', ...described, schema }
}

/** The body of an upload: one file, in the part `file`. */
const FILE_BODY = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
        additionalProperties: false,
      },
    },
  },
}

function formBody(properties: Record<string, JsonSchema>): NonNullable<OperationObject['requestBody']> {
  const schema = { type: 'object', properties, additionalProperties: { type: 'string' } }
  return { required: false, content: { 'application/x-www-form-urlencoded': { schema } } }
}

function responsesOf(route: SiteRoute, writer: SchemaWriter): OperationObject['responses'] {
  const errors = errorContent(writer)
  // An error before the page's own scope, such as a broken request line, is JSON.
  const { errorSchema: named } = route
  const own = named && { 'application/json': { schema: writer.component(named.name, () => named.schema) } }
  const content = own ?? (route.isData ? errors : { ...PAGE, ...errors })
  const failure = (status: number, description: string): ResponseObject => ({
    description,
    ...retryHeaders(status),
    content,
  })
  const responses: OperationObject['responses'] = {
    400: failure(400, 'The request is not valid.'),
    500: failure(500, 'A defect of the server. Search the log for the request id.'),
    503: failure(503, 'The server is starting or stopping, or cannot store anything.'),
  }
  for (const code of EDGE) {
    const shared = own ? null : sharedResponse([code])
    responses[statusOf(code)] = shared ?? { description: ERRORS[code].description, content: errors }
  }
  if (route.form) {
    responses[413] = failure(413, 'The form is larger than the limit.')
    responses[415] = failure(415, 'The form has another media type or encoding than documented.')
  }
  for (const [status, response] of Object.entries(route.responses)) {
    const isError = Number(status) >= 400 && Number(status) !== 503
    responses[status] = isError ? { ...response, ...retryHeaders(Number(status)), content } : response
  }
  return responses
}
