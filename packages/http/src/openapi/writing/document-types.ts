import type { JsonSchema } from './schema-writer.ts'

/** One parameter of an operation. */
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** A request or response body by its media type. */
export type Content = Record<string, { schema: JsonSchema }>

/** A reference to a part of `components`. */
export interface Reference {
  $ref: string
}

export interface ResponseObject {
  description: string
  headers?: Record<string, Reference>
  content?: Content
}

export interface OperationObject {
  operationId: string
  tags: [string]
  summary: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject | Reference>
  security: Record<string, never[]>[]
}

export interface HeaderObject {
  description: string
  required?: boolean
  schema: JsonSchema
}

/** The parts of OpenAPI 3.1 in use. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, HeaderObject>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, Record<string, string>>
  }
}
