import type { LeftOutTool } from '@troupe/agents/ports'
import {
  isJsonObject,
  type JsonObject,
  MAX_LISTED_TOOLS,
  parseUrlTemplate,
  shortened,
  type UrlTemplate,
} from '@troupe/contract'
import { hasTooManyLines, MAX_YAML_LINES } from '@troupe/heavy-work'
import { parseDocument } from 'yaml'
import { followed } from './local-reference.ts'
import { operationInput } from './operation-input.ts'
import { operationNames } from './operation-names.ts'
import { NotOffered, type OperationRequest, type ParameterPlan } from './operation-request.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { type BodyChoice, chosenBody, requestBodyOf } from './request-body.ts'
import { isSwagger2, swaggerBody, swaggerServers } from './swagger-2.ts'

/** The operations of a path, by their OpenAPI names. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const
/** Methods whose bodies have no meaning (RFC 9110, 9.3.1); OpenAPI 3.0 ignores them. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Maximum tools of one document. */
const MAX_OPERATIONS = 64
/** Maximum operations of a document to examine. */
const MAX_FOUND = 20_000
const MAX_ALIASES = 100

/** The operations of a document, or one sentence about why there are none; `names` is set if it has too many. */
export type ReadOperations = {
  leftOut: LeftOutTool[]
} /** `characters` is the length of their schemas and descriptions together. */ & (
  | { ok: true; operations: OperationRequest[]; characters: number }
  | { ok: false; problem: string; names?: readonly string[] }
)

/** The document to read. */
export interface DocumentSource {
  /** JSON or YAML. */
  text: string
  /** The address of the document: relative server addresses are resolved against it; null for a document of the configuration. */
  address: string | null
  /** Ids or names of operations; null: all of them. */
  allowed: readonly string[] | null
}

/** An unreadable document. */
export function unreadable(problem: string): ReadOperations {
  return { ok: false, problem, leftOut: [] }
}

/** The value is undefined if the text is neither JSON nor YAML. */
function parsed(text: string): { value: unknown; isTooLong: boolean } {
  try {
    return { value: JSON.parse(text), isTooLong: false }
  } catch {
    // It may be YAML.
  }
  if (hasTooManyLines(text)) return { value: undefined, isTooLong: true }
  return { value: parsedYaml(text), isTooLong: false }
}

function parsedYaml(text: string): unknown {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      logLevel: 'silent',
    })
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return undefined
  }
}

/** The address of the first server, absolute; null if there is none. */
function serverOf(address: string | null, levels: readonly (readonly unknown[])[]): string | null {
  const server: unknown = levels.find((list) => list.length > 0)?.[0]
  const url = isJsonObject(server) && typeof server.url === 'string' ? server.url : '/'
  const variables = isJsonObject(server) && isJsonObject(server.variables) ? server.variables : {}
  const filled = url.replaceAll(/\{([^{}]{1,64})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isJsonObject(variable) && variable.default !== undefined ? String(variable.default) : whole
  })
  if (/^https?:\/\//i.test(filled)) return filled.replace(/\/$/, '')
  if (address === null || !URL.canParse(filled, address)) return null
  return new URL(filled, address).href.replace(/\/$/, '')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** An operation in the document. */
interface Found {
  id: string | null
  method: string
  path: string
  item: JsonObject
  operation: JsonObject
}

function foundIn(document: JsonObject): Found[] {
  const found: Found[] = []
  for (const [path, given] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    const item = followed(document, given)
    for (const method of item ? METHODS : []) {
      const operation = item?.[method]
      if (!item || !isJsonObject(operation)) continue
      if (found.length === MAX_FOUND) return found
      const id = typeof operation.operationId === 'string' ? operation.operationId : null
      found.push({ id, method: method.toUpperCase(), path, item, operation })
    }
  }
  return found
}

/** The request of an operation, determined before its schema is read. */
interface Sent {
  parameters: Parameter[]
  body: BodyChoice | null
  server: string
}

/** @throws NotOffered for an operation that cannot be sent completely */
function sentOf(document: JsonObject, address: string | null, found: Found): Sent {
  const { item, operation, method } = found
  if (method === 'TRACE') throw new NotOffered('TRACE is never sent.')
  const isSwagger = isSwagger2(document)
  const servers = isSwagger
    ? [swaggerServers(document, operation)]
    : [operation.servers, item.servers, document.servers].map(listOf)
  const server = serverOf(address, servers)
  if (server === null) throw new NotOffered('It has no server with an absolute address.')
  const parameters = parametersOf(document, item, operation)
  const described = isSwagger ? swaggerBody(document, item, operation) : requestBodyOf(document, operation)
  if (WITHOUT_BODY.has(method)) {
    if (described?.required && Object.keys(described.content).length > 0)
      throw new NotOffered(`It needs a body, which a ${method} cannot have.`)
    return { parameters, body: null, server }
  }
  const stylesParts = typeof document.openapi === 'string' && !document.openapi.startsWith('3.0')
  return { parameters, body: described && chosenBody({ document, stylesParts }, described), server }
}

/** The address with its arguments; each `{name}` is one of the path's parameters. */
function urlOf(server: string, path: string, parameters: readonly ParameterPlan[]): UrlTemplate {
  const names = new Map(
    parameters.flatMap(({ name, argument, place }) => (place === 'path' ? [[name, argument]] : [])),
  )
  const unused = new Set(names.keys())
  const filled = path.replaceAll(/\{([^{}]{1,200})\}/g, (_, name: string) => {
    const argument = names.get(name)
    if (argument === undefined)
      throw new NotOffered(`Its path has {${shortened(name, 80)}}, which no parameter describes.`)
    unused.delete(name)
    return `{${argument}}`
  })
  const [first] = unused
  if (first !== undefined)
    throw new NotOffered(`Its path has no place for its parameter ${shortened(first, 80)}.`)
  const parsedUrl = parseUrlTemplate(`${server}${filled}`)
  if (!parsedUrl.ok) throw new NotOffered(`Its address ${parsedUrl.message}.`)
  return parsedUrl.url
}

function describe({ summary, description }: JsonObject, fallback: string): string {
  const texts = [summary, description].filter((text) => typeof text === 'string' && text.trim() !== '')
  return texts.join('\n').slice(0, 2_000).toWellFormed() || fallback
}

function requestOf(
  document: JsonObject,
  found: Found,
  name: string,
  sent: Sent,
): { request: OperationRequest; characters: number } {
  const { method, path, operation } = found
  const { parameters, body, inputSchema, characters } = operationInput(document, sent.parameters, sent.body)
  const description = describe(operation, `${method} ${path}`)
  const url = urlOf(sent.server, path, parameters)
  return {
    request: { name, description, method, url, parameters, body, inputSchema },
    characters: characters + description.length,
  }
}

/** The result of `work`, or the reason for which the operation is left out. */
function offered<T>(work: () => T): { ok: true; value: T } | { ok: false; reason: string } {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error
    return { ok: false, reason: error.message }
  }
}

/** One sentence for a document whose operations are all left out. */
function noneOf(leftOut: readonly LeftOutTool[]): string {
  const [first] = leftOut
  if (!first) return 'The document has no operations.'
  const others = leftOut.length === 1 ? '' : ` (and ${leftOut.length - 1} more)`
  return `The operation ${first.name} cannot be offered: ${first.reason}${others}`
}

/**
 * Reads OpenAPI 3.0 and 3.1 and Swagger 2.0. References are followed only inside the document. Every operation is
 * either complete or left out with a reason. Pure; its cost is linear in the text.
 */
export function readOperations({ text, address, allowed }: DocumentSource): ReadOperations {
  const { value: document, isTooLong } = parsed(text)
  if (isTooLong) return unreadable(`The document has more than ${MAX_YAML_LINES} lines of YAML.`)
  if (!isJsonObject(document)) return unreadable('The document is neither JSON nor YAML.')
  if (
    !isSwagger2(document) &&
    (typeof document.openapi !== 'string' || !/^3\.[01](\.|$)/.test(document.openapi))
  ) {
    return unreadable('The document is not OpenAPI 3.0 or 3.1, nor Swagger 2.0.')
  }
  const all = foundIn(document)
  const names = operationNames(all)
  const wanted = allowed && new Set(allowed)
  const missing = new Set(allowed ?? [])
  const chosen = all.flatMap((found, index) => {
    const { name = '', base = '' } = names[index] ?? {}
    const keys = [found.id, name, base].filter((one) => one !== null)
    if (wanted && !keys.some((key) => wanted.has(key))) return []
    for (const key of keys) missing.delete(key)
    return [{ found, name }]
  })
  const leftOut: LeftOutTool[] = []
  const leave = (name: string, reason: string) => {
    if (leftOut.length < MAX_LISTED_TOOLS) leftOut.push({ name, reason })
  }
  const operations: OperationRequest[] = []
  let characters = 0
  const usable: string[] = []
  // If there are more than a configuration may have, only their names are read, for choosing among them.
  const isTooMany = chosen.length > MAX_OPERATIONS
  for (const { found, name } of chosen) {
    const read = offered(() => {
      const sent = sentOf(document, address, found)
      return isTooMany ? null : requestOf(document, found, name, sent)
    })
    if (!read.ok) leave(name, read.reason)
    else usable.push(name)
    if (read.ok && read.value) {
      operations.push(read.value.request)
      characters += read.value.characters
    }
  }
  for (const name of missing) leave(shortened(name, 100), 'Operation not found in the document.')
  if (isTooMany) {
    const problem = `The document has more than ${MAX_OPERATIONS} operations: name those to offer in operations.`
    return { ok: false, problem, names: usable.slice(0, MAX_LISTED_TOOLS), leftOut }
  }
  if (operations.length > 0) return { ok: true, operations, leftOut, characters }
  const [absent] = missing
  if (absent !== undefined && chosen.length === 0) {
    return { ok: false, problem: `The document has no operation ${shortened(absent, 100)}.`, leftOut }
  }
  return { ok: false, problem: noneOf(leftOut), leftOut }
}
