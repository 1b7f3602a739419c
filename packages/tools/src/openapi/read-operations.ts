import { type HttpToolConfig, isJsonObject, type JsonObject, MAX_LISTED_TOOLS } from '@troupe/contract'
import { parseDocument } from 'yaml'
import { followed } from './local-reference.ts'
import { type OperationInput, operationInput } from './operation-input.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** The most tools of one document. */
const MAX_OPERATIONS = 64
const MAX_ALIASES = 100

/** One operation, as the configuration of a request. */
export interface OperationRequest {
  /** A valid name of a tool. */
  name: string
  description: string
  request: Pick<HttpToolConfig, 'method' | 'url' | 'headers' | 'query' | 'body'>
  inputSchema: JsonObject
}

/** The operations of a document, or one sentence about why there are none; `names` are there when it has too many. */
export type ReadOperations =
  | { ok: true; operations: OperationRequest[] }
  | { ok: false; problem: string; names?: readonly string[] }

/** What is read. */
export interface DocumentSource {
  /** JSON or YAML. */
  text: string
  /** Where the document comes from: relative server addresses start there; null for a document of the configuration. */
  address: string | null
  /** Ids or names of operations; null: all of them. */
  allowed: readonly string[] | null
}

function refused(problem: string): ReadOperations {
  return { ok: false, problem }
}

/** undefined when the text is neither JSON nor YAML. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // YAML, then.
  }
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

/** The address of the first server, absolute; null when there is none. */
function serverOf(address: string | null, ...levels: readonly JsonObject[]): string | null {
  const servers = levels
    .map(({ servers: list }) => (Array.isArray(list) ? list : []))
    .find((list) => list.length > 0)
  const server: unknown = servers?.[0]
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

function validName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^[^A-Za-z_]/, '_$&')
    .slice(0, 64)
}

function requestOf(
  method: (typeof METHODS)[number],
  url: { server: string; path: string },
  input: OperationInput,
): OperationRequest['request'] | null {
  const named = (place: string) => input.arguments.filter((one) => one.place === place)
  const filled = (place: string) =>
    Object.fromEntries(named(place).map(({ name, argument }) => [name, `{${argument}}`]))
  const names = new Map(named('path').map(({ name, argument }) => [name, argument]))
  let isComplete = true
  const path = url.path.replaceAll(/\{([^{}]{1,200})\}/g, (_, name: string) => {
    isComplete &&= names.has(name)
    return `{${names.get(name)}}`
  })
  if (!isComplete) return null
  const body = input.wholeBody === null ? filled('body') : `{${input.wholeBody}}`
  const hasBody = named('body').length > 0 && method !== 'get'
  return {
    method: method.toUpperCase() as HttpToolConfig['method'],
    url: `${url.server}${path}`,
    query: filled('query'),
    headers: filled('header'),
    ...(hasBody ? { body } : {}),
  }
}

function describe({ summary, description }: JsonObject, fallback: string): string {
  const texts = [summary, description].filter((text) => typeof text === 'string' && text.trim() !== '')
  return texts.join('\n').slice(0, 2_000) || fallback
}

/** Reads OpenAPI 3.0 and 3.1. References are followed inside the document only. Pure; its cost grows with the text. */
export function readOperations({ text, address, allowed }: DocumentSource): ReadOperations {
  const document = parsed(text)
  if (!isJsonObject(document)) return refused('The document is neither JSON nor YAML.')
  if (typeof document.openapi !== 'string' || !/^3\.[01]\./.test(document.openapi)) {
    return refused('The document is not OpenAPI 3.0 or 3.1.')
  }
  const wanted = allowed && new Set(allowed)
  const found = new Set<string>()
  const names = new Set<string>()
  let isTooMany = false
  const operations: OperationRequest[] = []
  for (const [path, given] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    const item = followed(document, given)
    for (const method of item ? METHODS : []) {
      const operation = item?.[method]
      if (!item || !isJsonObject(operation)) continue
      const id = typeof operation.operationId === 'string' ? operation.operationId : null
      const name = validName(
        id ?? `${method}_${path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')}`,
      )
      const key = [id, name].find((one) => one !== null && wanted?.has(one))
      if (wanted && !key) continue
      if (key) found.add(key)
      names.add(name)
      // Of more than a configuration may have, only the names are read, to choose from.
      isTooMany ||= operations.length === MAX_OPERATIONS
      if (isTooMany) continue
      const server = serverOf(address, operation, item, document)
      if (server === null) return refused(`The operation ${name} has no server with an absolute address.`)
      const input = operationInput(document, item, operation)
      const request = input && requestOf(method, { server, path }, input)
      if (!input || !request) return refused(`The operation ${name} has parameters that cannot be used.`)
      operations.push({
        name,
        description: describe(operation, `${method.toUpperCase()} ${path}`),
        request,
        inputSchema: input.inputSchema,
      })
    }
  }
  if (isTooMany) {
    return {
      ok: false,
      problem: `The document has more than ${MAX_OPERATIONS} operations: name those to offer in operations.`,
      names: [...names].slice(0, MAX_LISTED_TOOLS),
    }
  }
  const missing = allowed?.find((one) => !found.has(one))
  if (missing !== undefined) return refused(`The document has no operation ${missing.slice(0, 100)}.`)
  return operations.length === 0 ? refused('The document has no operations.') : { ok: true, operations }
}
