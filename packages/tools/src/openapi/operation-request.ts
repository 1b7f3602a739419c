import type { JsonObject, UrlTemplate } from '@troupe/contract'

export const STYLES = [
  ...(['simple', 'label', 'matrix'] as const),
  ...(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const),
]
/** The serialisation of a list or an object as text, by its OpenAPI name. */
export type Style = (typeof STYLES)[number]

/**
 * The serialisation of one value. `json`: as JSON text. `default`: texts unchanged, lists item by item, objects as
 * JSON.
 */
export type ValueFormat =
  | { kind: 'json' }
  | { kind: 'default' }
  | { kind: 'style'; style: Style; explode: boolean; delimiter: string; allowReserved: boolean }

/** An argument that is a parameter of the request. */
export interface ParameterPlan {
  /** The model's name for it. */
  argument: string
  /** The server's name for it. */
  name: string
  place: 'path' | 'query' | 'header' | 'cookie'
  format: ValueFormat
}

/** One field of a form. */
export interface FieldPlan {
  argument: string
  name: string
  format: ValueFormat
  /** Set for a part of multipart/form-data: its media type if the document names one, and whether it is a file. */
  part: { isFile: boolean; mediaType: string | null }
}

/** The body of an operation. */
export interface BodyPlan {
  kind: 'json' | 'text' | 'form' | 'multipart'
  mediaType: string
  required: boolean
  /** The argument that is the whole body; null if its properties are arguments. */
  whole: string | null
  /** Its properties; for a form that is one argument, only those with another serialisation than the default. */
  fields: readonly FieldPlan[]
}

/** One operation, as data for its request. */
export interface OperationRequest {
  /** A valid name of a tool, unique in the document. */
  name: string
  description: string
  /** Upper case. */
  method: string
  url: UrlTemplate
  parameters: readonly ParameterPlan[]
  body: BodyPlan | null
  inputSchema: JsonObject
}

/** Why one operation cannot be a tool, as a sentence. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered'
}
