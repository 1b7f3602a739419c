import type { JsonSchema } from './schema-writer.ts'

/** One parameter of an operation. */
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** A request or response body by its media type. */
export type Content = Record<string, { schema: JsonSchema }>

export interface ResponseObject {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Content
}

export interface OperationObject {
  operationId: string
  tags: [string]
  summary: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
  security: Record<string, never[]>[]
}

/** The parts of OpenAPI 3.1 that we write. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: Record<string, Record<string, string>>
  }
}
