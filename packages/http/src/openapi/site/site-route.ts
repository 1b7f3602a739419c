import type { Content, ResponseObject } from '../writing/document-types.ts'
import type { JsonSchema } from '../writing/schema-writer.ts'

/** A documented route without an operation of the contract: a page, a file, a probe. */
export interface SiteRoute {
  /** Unique; the `operationId`. */
  id: string
  method: 'get' | 'post'
  /** With parameters in braces. */
  path: string
  tag: string
  summary: string
  description?: string
  /**
   * `person`: other visitors are redirected to the sign-in page. `visitor`: a session may help. Absent: no difference.
   * `bearer`: an API key as a bearer token.
   */
  access?: 'person' | 'visitor' | 'operator' | 'bearer'
  /** Path parameters by name; each is a text. */
  params?: Record<string, string>
  /** Query parameters by name, all optional. */
  query?: Record<string, JsonSchema>
  /** Request headers by name, all optional. */
  headers?: Record<string, string>
  /** Fields of the submitted form; further fields are allowed. */
  form?: Record<string, JsonSchema>
  /** Schema of the JSON body, which is required. */
  json?: JsonSchema
  /** Whether the body is one uploaded file. */
  takesFile?: boolean
  /** Without the responses common to every route. */
  responses: Record<number, ResponseObject>
  /** Whether its errors are JSON instead of pages. */
  isData?: boolean
  /** The errors of the route itself, instead of the API's: the name and the schema of a component. */
  errorSchema?: { name: string; schema: JsonSchema }
}

const text: JsonSchema = { type: 'string' }

/** An HTML page. */
export function page(description: string): ResponseObject {
  return { description, content: PAGE }
}

/** The content of every page. */
export const PAGE: Content = { 'text/html': { schema: text } }

/** A redirect; the browser continues with a GET, or with the same method for 308. */
export function redirect(description: string): ResponseObject {
  return { description, headers: { Location: { $ref: '#/components/headers/Location' } } }
}

/** A JSON object with these required properties. */
export function json(description: string, properties: Record<string, JsonSchema>): ResponseObject {
  const schema = { type: 'object', properties, required: Object.keys(properties) }
  return { description, content: { 'application/json': { schema } } }
}

/** A file that a page loads, or another document. */
export function file(description: string, type: string): ResponseObject {
  return { description, content: { [type]: { schema: type === 'application/json' ? {} : text } } }
}

/** The refusal of a form that another site sent. */
export const FOREIGN_ORIGIN = page('The request does not come from a page of this server.')

/** The text of a 429. */
export const LIMITED = 'Too many requests from this address or for this token; see `Retry-After`.'
