import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { OperationObject } from '@troupe/http/openapi/writing/document-types'
import type { JsonSchema } from '@troupe/http/openapi/writing/schema-writer'
import { exampleValue } from './example-value.ts'

/** An operation with its method, path and server. */
export interface PlacedOperation {
  /** In capitals. */
  method: string
  /** With parameters in braces. */
  path: string
  /** Without a slash at its end. */
  serverUrl: string
  operation: OperationObject
}

/** The credential of a request; null for public operations. */
export type Credential = 'apiKey' | 'bearerKey' | null

/** The smallest valid request of an operation, from which the examples of every language are generated. */
export interface ExampleRequest {
  method: string
  url: string
  /** Values of the path parameters, in order. */
  ids: readonly string[]
  /** The required parameters of the query. */
  query: JsonObject
  credential: Credential
  /** Whether the request has a signed timestamp. */
  isTimed: boolean
  /** Null for an operation without a body. */
  body: { kind: 'json'; value: JsonObject } | { kind: 'file'; name: string } | null
  /** The kind of the response body: a stream of events, none, or JSON. */
  answer: 'events' | 'json' | 'none'
}

export function exampleRequest(
  placed: PlacedOperation,
  components: Record<string, JsonSchema>,
): ExampleRequest {
  const { operation, path, serverUrl, method } = placed
  const parameters = operation.parameters ?? []
  const exampleOf = (schema: JsonSchema, name: string) => exampleValue(schema, components, 'required', name)
  const ids: string[] = []
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {
      type: 'string',
    }
    const id = String(exampleOf(schema, name))
    ids.push(id)
    return encodeURIComponent(id)
  })
  const query = Object.fromEntries(
    parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [name, String(exampleOf(schema, name))]),
  )
  const search = new URLSearchParams(query)
  return {
    method,
    url: `${serverUrl}${filled}${search.size === 0 ? '' : `?${search}`}`,
    ids,
    query,
    credential: credentialOf(operation),
    isTimed: parameters.some(({ name }) => name === 'x-service-timestamp'),
    body: exampleBody(operation, components),
    answer: answerOf(operation),
  }
}

/** The credential that an operation requires. */
export function credentialOf({ security, parameters = [] }: OperationObject): Credential {
  if (security.some((scheme) => 'bearerKey' in scheme)) return 'bearerKey'
  const isTimed = parameters.some(({ name }) => name === 'x-service-timestamp')
  return security.length > 0 || isTimed ? 'apiKey' : null
}

function exampleBody(
  operation: OperationObject,
  components: Record<string, JsonSchema>,
): ExampleRequest['body'] {
  const content = operation.requestBody?.content
  if (!content) return null
  const json = content['application/json']?.schema
  if (json) {
    const required = exampleValue(json, components, 'required')
    const isTelling = isJsonObject(required) && Object.keys(required).length > 0
    return { kind: 'json', value: isTelling ? required : oneField(json, components) }
  }
  const [form] = Object.values(content)
  return { kind: 'file', name: Object.keys(form?.schema.properties ?? {})[0] ?? 'file' }
}

/** For a body that may be empty, such as an update: its name or its first field, so that readers see its shape. */
function oneField(schema: JsonSchema, components: Record<string, JsonSchema>): JsonObject {
  const properties = schema.properties ?? {}
  const name = 'name' in properties ? 'name' : Object.keys(properties)[0]
  const field = name === undefined ? undefined : properties[name]
  return name === undefined || field === undefined
    ? {}
    : { [name]: exampleValue(field, components, 'required', name) }
}

function answerOf({ responses }: OperationObject): ExampleRequest['answer'] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const content = success && 'content' in success ? success.content : undefined
  // If both are possible, the smallest request does not stream.
  if (content?.['application/json']) return 'json'
  return content?.['text/event-stream'] ? 'events' : 'none'
}
