import type { Operation } from '@troupe/contract'
import type { OpenApiDocument } from './document-types.ts'
import { operationObject } from './operation-object.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { SchemaWriter } from './schema-writer.ts'

const DESCRIPTION = `Run LLM agents behind one API.

Send the header \`X-API-Key\` with every request. Bodies are JSON in UTF-8, at most 1 MB. Every error has the shape
\`{"error": code, "message": text}\`; failed validations list every failure in \`errors\`.`

/**
 * The OpenAPI 3.1 document of a set of operations.
 *
 * @param publicUrl of the server, without a trailing slash
 */
export function openApiDocument(operations: readonly Operation[], publicUrl: string): OpenApiDocument {
  const writer = new SchemaWriter()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationObject(operation, writer)
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Troupe API', version: '1', description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: writer.components,
      headers: RESPONSE_HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        ...(operations.some(({ access }) => access === 'operator')
          ? { adminToken: { type: 'http', scheme: 'bearer' } }
          : {}),
      },
    },
  }
}
