import { isJsonObject } from '@troupe/contract'
import { publicDocument } from '@troupe/http/openapi/documents/public-document'
import type { OpenApiDocument } from '@troupe/http/openapi/writing/document-types'

/** One operation of the Python client. */
export interface PythonOperation {
  id: string
  method: string
  path: string
  summary: string
  parameters: readonly { name: string; in: string; schema: Record<string, unknown> }[]
  hasBody: boolean
  /** Whether the response is a stream of the events of a run. */
  isStream: boolean
  /** Name of the component of the response; null: it has a separate model. */
  answer: string | null
  /** False for 204. */
  hasAnswer: boolean
}

type Json = Record<string, unknown>

const asObject = (value: unknown): Json => (isJsonObject(value) ? value : {})
const REFERENCE = '#/components/schemas/'

/** Opens closed objects: a newer server may return more fields than this client knows. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => key !== 'additionalProperties' || inner !== false,
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, opened(inner)]))
}

/** Gives events their names as titles, from which the models are named. */
function nameEvents(schemas: Json): void {
  const event = asObject(schemas.StreamEvent)
  if (!Array.isArray(event.anyOf)) throw new Error('StreamEvent is no union any more')
  event.anyOf = event.anyOf.map((variant: unknown) => {
    const properties = asObject(asObject(variant).properties)
    const name = String(asObject(properties.event).const)
    const kind = asObject(properties.kind).const
    const prefix = typeof kind === 'string' ? kind.charAt(0).toUpperCase() + kind.slice(1) : ''
    return { ...asObject(variant), title: `${prefix}${name}Event` }
  })
}

/** The components referred to by a value, directly or indirectly. */
function reached(value: unknown, schemas: Json, found: Set<string>): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    reached(schemas[name] ?? {}, schemas, found)
  }
  return found
}

function readOperation(path: string, method: string, operation: Json): PythonOperation {
  const responses = asObject(operation.responses)
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? ''
  const content = asObject(asObject(responses[status]).content)
  const [type] = Object.keys(content)
  const isStream = type === 'text/event-stream'
  const reference = asObject(asObject(content[type ?? '']).schema).$ref
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    summary: String(operation.summary),
    parameters: parameters.map((parameter: unknown) => {
      const { name, in: place, schema } = asObject(parameter)
      return { name: String(name), in: String(place), schema: asObject(schema) }
    }),
    hasBody: operation.requestBody !== undefined,
    isStream,
    answer: typeof reference === 'string' ? reference.slice(REFERENCE.length) : null,
    hasAnswer: status !== '204',
  }
}

/** The operations with an API key, and a document of their bodies and responses for the generator of the models. */
export function pythonDocument(): { operations: PythonOperation[]; document: Json } {
  const whole = opened(JSON.parse(JSON.stringify(publicDocument('')))) as unknown as OpenApiDocument
  const schemas: Json = whole.components.schemas
  nameEvents(schemas)
  const operations: PythonOperation[] = []
  const paths: Record<string, Json> = {}
  for (const [path, methods] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.security.some((scheme) => 'apiKey' in scheme)) continue
      const plain = asObject(operation)
      const read = readOperation(path, method, plain)
      operations.push(read)
      // Where there are two, they have the same body.
      const success = Object.entries(asObject(plain.responses))
        .filter(([status]) => status.startsWith('2'))
        .slice(0, 1)
      const { parameters: _, responses: __, ...rest } = plain
      const answers = read.isStream
        ? {
            200: {
              description: '',
              content: { 'application/json': { schema: { $ref: `${REFERENCE}StreamEvent` } } },
            },
          }
        : Object.fromEntries(success)
      paths[path] = { ...paths[path], [method]: { ...rest, responses: answers } }
    }
  }
  const used = reached(paths, schemas, new Set())
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
  const { openapi, info } = whole
  return { operations, document: { openapi, info, paths, components: { schemas: kept } } }
}
