import { COMMON_ERRORS, ERRORS, ErrorBody, type ErrorCode, type Operation, statusOf } from '@troupe/contract'
import type { OperationObject, ParameterObject, ResponseObject } from './document-types.ts'
import { RATE_LIMIT_HEADERS, RETRY_AFTER } from './response-headers.ts'
import type { SchemaWriter } from './schema-writer.ts'

/** Error codes that every operation with a body can return besides its own. */
const BODY_ERRORS: readonly ErrorCode[] = ['validation_error', 'payload_too_large', 'unsupported_media_type']

/** Triggers authenticate as their own descriptions say. */
const SECURITY: Record<Operation['access'], OperationObject['security']> = {
  api_key: [{ apiKey: [] }],
  operator: [{ adminToken: [] }],
  trigger: [],
}

/** Every error code that an operation can return. */
function errorsOf(operation: Operation): ErrorCode[] {
  const codes = [...COMMON_ERRORS[operation.access], ...operation.errors]
  if (operation.query) codes.push('validation_error')
  if (operation.body) codes.push(...BODY_ERRORS)
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
    ...(operation.description ? { description: operation.description } : {}),
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

function responsesOf(operation: Operation, writer: SchemaWriter): Record<string, ResponseObject> {
  const { status, description, body, type = 'application/json' } = operation.success
  const limited = operation.access !== 'operator' ? { headers: RATE_LIMIT_HEADERS } : {}
  const responses: Record<string, ResponseObject> = {
    [status]: {
      description,
      ...limited,
      ...(status === 204 ? {} : { content: { [type]: { schema: writer.write(body) } } }),
    },
  }
  const byStatus = Map.groupBy(errorsOf(operation), statusOf)
  for (const [errorStatus, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[errorStatus] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n\n'),
      ...(errorStatus === 429 ? { headers: { ...RATE_LIMIT_HEADERS, ...RETRY_AFTER } } : {}),
      content: { 'application/json': { schema: writer.write(ErrorBody) } },
    }
  }
  return responses
}
