import type { Readable } from 'node:stream'
import {
  DomainError,
  decodeUtf8,
  type FieldError,
  invalidRequest,
  isJsonObject,
  MAX_BODY_BYTES,
  type Operation,
  type ResultOf,
  requirePlainUtf8,
  validator,
} from '@troupe/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { IGNORED_FIELDS, ignoredFields } from './ignored-fields.ts'
import { OperationCall } from './operation-call.ts'
import { queryReader } from './query.ts'
import { asError } from './respond-error.ts'
import type { App } from './server-types.ts'
import { unknownRoute } from './wrong-methods.ts'

/** A handler's result: bytes as a stream; undefined when the handler has written events itself. */
type Answer<O extends Operation> = O['success'] extends { type: 'text/event-stream' }
  ? undefined
  : O['success'] extends { type: 'application/octet-stream' | 'application/zip' }
    ? Readable
    : ResultOf<O>

/** Binds a request to an operation and returns its result; contains no domain rules. */
export type OperationHandler<O extends Operation> = (
  call: OperationCall<O>,
  reply: FastifyReply,
) => Promise<Answer<O>>

/** Route settings that the contract does not define. */
export interface OperationOptions {
  /** Fields that a project-scoped key may send and that are ignored, whatever their values. */
  ignoredForProjectKeys?: readonly string[]
  /** 1 MB when absent. */
  maxBodyBytes?: number
}

/**
 * Registers an operation's route: method, path, access, validation and response serialisation are derived from the
 * contract. The response has only the declared fields.
 */
export function registerOperation<const O extends Operation>(
  app: App,
  operation: O,
  handler: OperationHandler<O>,
  options: OperationOptions = {},
): void {
  const { status, body, type } = operation.success
  const bind = createBinder(operation, options.ignoredForProjectKeys ?? [])
  const route: RouteOptions = {
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { access: operation.access, operation },
    bodyLimit: options.maxBodyBytes ?? MAX_BODY_BYTES,
    // HEAD on a stream would start one.
    exposeHeadRoute: operation.method === 'GET' && type !== 'text/event-stream',
    handler: (request, reply) => {
      // `/agents/` is not an agent whose id is empty.
      if (hasEmptyParameter(request)) throw unknownRoute(request.url)
      const call = bind(request)
      const ignored = ignoredFields(operation, request)
      if (ignored !== null) reply.header(IGNORED_FIELDS, ignored)
      reply.statusCode = status
      if (type === 'application/yaml') reply.type(`${type}; charset=utf-8`)
      if (type === 'application/octet-stream' || type === 'application/zip') reply.type(type)
      return handler(call, reply)
    },
  }
  if (type === undefined) {
    route.schema = { response: { [status]: body } }
    route.serializerCompiler = lazySerializer
  }
  if (operation.bodyType === 'application/yaml') app.register(async (scope) => acceptText(scope, route))
  else app.route(route)
}

function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return isJsonObject(params) && Object.values(params).includes('')
}

type Serialize = (value: unknown) => string

/** By response schema; servers of one process share them. */
const SERIALIZERS = new WeakMap<object, Serialize>()

function serializerOf(schema: object): Serialize {
  const known = SERIALIZERS.get(schema)
  if (known) return known
  const compiled = fastJsonStringify(schema)
  SERIALIZERS.set(schema, compiled)
  return compiled
}

/** Compiles a schema with the first response: all of them take 150 ms, and a start needs none. */
function lazySerializer({ schema }: { schema: object }): Serialize {
  return (value) => serializerOf(schema)(value)
}

/** A separate Fastify scope, so that only this route accepts YAML. JSON is valid YAML. */
function acceptText(scope: App, route: RouteOptions): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<Buffer>(
    /^(?:application|text)\/(?:x-)?(?:yaml|json)\b/,
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      try {
        requirePlainUtf8(request.headers)
        done(null, decodeUtf8(bytes))
      } catch (error) {
        done(asError(error))
      }
    },
  )
  scope.route(route)
}

/** Compiles the validators; the returned function throws `validation_error` with every failure. */
function createBinder<O extends Operation>(operation: O, ignored: readonly string[]) {
  const readQuery = operation.query ? queryReader(operation.query) : null
  const checkQuery = operation.query ? validator(operation.query) : null
  const checkHeaders = operation.headers ? validator(operation.headers) : null
  // The handler reads a multipart body while it arrives.
  const isInParts = operation.bodyType === 'multipart/form-data'
  const checkBody = operation.body && !isInParts ? validator(operation.body) : null

  return (request: FastifyRequest): OperationCall<O> => {
    const drop = ignored.length > 0 && request.principal?.projectId != null
    const errors: FieldError[] = []
    let query: unknown
    if (readQuery && checkQuery) {
      const given = isJsonObject(request.query) ? request.query : {}
      const read = readQuery(drop ? without(given, ignored) : given)
      const checked = checkQuery(read.values)
      errors.push(...read.errors)
      if (!checked.ok) errors.push(...checked.errors)
      query = read.values
    }
    if (checkHeaders) {
      const checked = checkHeaders(request.headers)
      if (!checked.ok) errors.push(...checked.errors.map(atHeader))
    }
    let body: unknown
    if (checkBody) {
      const given = request.body === undefined && operation.bodyOptional ? {} : request.body
      if (given === undefined) throw emptyBody(errors)
      body = drop && isJsonObject(given) ? without(given, ignored) : given
      const checked = checkBody(body)
      if (!checked.ok) errors.push(...checked.errors.map(atBody))
    }
    if (errors.length > 0) throw invalidRequest(errors)
    return new OperationCall(request, query as never, body as never)
  }
}

function emptyBody(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request body is empty.', {
    errors: [...errors, { path: 'body', message: 'is required' }],
  })
}

/** Node lower-cases header names; error messages use the usual spelling. */
function atHeader({ path, message }: FieldError): FieldError {
  return { path: path.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()), message }
}

/** The body itself has no path. */
function atBody(error: FieldError): FieldError {
  return error.path === '' ? { ...error, path: 'body' } : error
}

function without(source: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)))
}
