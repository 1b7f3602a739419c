import { COMMON_ERRORS, type ErrorCode, type Operation, statusOf } from '@troupe/contract'
import type { Content, OperationObject, ParameterObject } from './document-types.ts'
import { eventStreamSchema } from './event-stream-schema.ts'
import { RATE_LIMIT_HEADERS } from './response-headers.ts'
import type { SchemaWriter } from './schema-writer.ts'
import { describeCodes, errorContent, retryHeaders, sharedResponse } from './shared-responses.ts'

/** Error codes of the HTTP edge that any request can get. */
const EVERY_REQUEST: readonly ErrorCode[] = [
  'validation_error',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
]
/** Error codes of requests whose method may have a body, expected or not. */
const BODY_ERRORS: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type']

/** Triggers authenticate by their own descriptions. */
const SECURITY: Record<Operation['access'], OperationObject['security']> = {
  api_key: [{ apiKey: [] }],
  operator: [{ adminToken: [] }],
  trigger: [],
  builder: [{ session: [] }, { adminToken: [] }],
  person: [{ session: [] }],
  visitor: [],
}

/** Statuses of errors that an operation raises itself, after the key was counted. */
const OWN_STATUSES = new Set([403, 404, 409, 422, 502, 504])

/** Every error code that an operation can return. */
function errorsOf(operation: Operation): ErrorCode[] {
  const codes = [...operation.errors, ...COMMON_ERRORS[operation.access], ...EVERY_REQUEST]
  if (operation.method !== 'GET') codes.push(...BODY_ERRORS)
  return [...new Set(codes)]
}

/** Describes one operation. */
export function operationObject(operation: Operation, writer: SchemaWriter): OperationObject {
  const parameters = [
    ...parametersOf(operation.params, 'path', writer),
    ...parametersOf(operation.query, 'query', writer),
    ...parametersOf(operation.headers, 'header', writer),
  ]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...describe(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: { [operation.bodyType ?? 'application/json']: { schema: writer.write(operation.body) } },
          },
        }
      : {}),
    responses: responsesOf(operation, writer),
    security: SECURITY[operation.access],
  }
}

/** Its behaviour beyond the summary, and its own limit. */
function describe({ description, requestsPerMinute: limit }: Operation): { description?: string } {
  const limited = limit === undefined ? [] : [ownLimit(limit)]
  const sentences = [...(description ? [description] : []), ...limited]
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

const ownLimit = (limit: number) =>
  `A key may make ${limit} requests per minute: \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` are of this limit, and a 429 has its \`Retry-After\` also as \`X-RateLimit-Retry-After\`.`

function parametersOf(
  schema: Operation['params'],
  place: ParameterObject['in'],
  writer: SchemaWriter,
): ParameterObject[] {
  if (!schema) return []
  const required = new Set<string>(schema.required ?? [])
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...written } = writer.write(property)
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: written,
    }
  })
}

function responsesOf(operation: Operation, writer: SchemaWriter): OperationObject['responses'] {
  const { status, description, unchanged } = operation.success
  const limited = operation.access === 'api_key' ? { headers: RATE_LIMIT_HEADERS } : {}
  const content = contentOf(operation, writer)
  const success = (meaning: string) => ({
    description: meaning,
    ...limited,
    ...(content ? { content } : {}),
  })
  const responses: OperationObject['responses'] = {
    ...(unchanged === undefined ? {} : { 200: success(unchanged) }),
    [status]: success(description),
  }
  const byStatus = Map.groupBy(errorsOf(operation), statusOf)
  for (const [errorStatus, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[errorStatus] = sharedResponse(codes) ?? {
      description: describeCodes(codes),
      ...(OWN_STATUSES.has(errorStatus) ? limited : retryHeaders(errorStatus)),
      content: errorContent(writer),
    }
  }
  return responses
}

/** The content of a success; null if it has none. */
function contentOf({ success }: Operation, writer: SchemaWriter): Content | null {
  const { status, body, type = 'application/json' } = success
  if (status === 204) return null
  const schema = type === 'text/event-stream' ? eventStreamSchema(body, writer) : writer.write(body)
  return { [type]: { schema } }
}
