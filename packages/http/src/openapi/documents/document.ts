import type { Operation } from '@troupe/contract'
import { siteOperation } from '../site/site-operation.ts'
import type { SiteRoute } from '../site/site-route.ts'
import type { OpenApiDocument } from '../writing/document-types.ts'
import { operationObject } from '../writing/operation-object.ts'
import { RESPONSE_HEADERS } from '../writing/response-headers.ts'
import { SchemaWriter } from '../writing/schema-writer.ts'
import { sharedResponses } from '../writing/shared-responses.ts'

/** The subject of a document. */
export interface DocumentSubject {
  title: string
  /** Markdown. */
  description: string
  operations: readonly Operation[]
  /** Routes without an operation. */
  routes: readonly SiteRoute[]
  /** Names below `components.securitySchemes`. */
  securitySchemes: OpenApiDocument['components']['securitySchemes']
}

/**
 * An OpenAPI 3.1 document.
 *
 * @param publicUrl of the server, without a trailing slash
 */
export function openApiDocument(subject: DocumentSubject, publicUrl: string): OpenApiDocument {
  const { title, description, operations, routes, securitySchemes } = subject
  const writer = new SchemaWriter()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, writer),
    }
  }
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: siteOperation(route, writer) }
  }
  const responses = sharedResponses(writer)
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description },
    servers: [{ url: publicUrl }],
    tags: [...new Set([...operations, ...routes].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: writer.components, headers: RESPONSE_HEADERS, responses, securitySchemes },
  }
}
