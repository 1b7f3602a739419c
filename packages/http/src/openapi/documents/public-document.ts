import { OPERATIONS, TRIGGER_OPERATIONS } from '@troupe/contract'
import { PROTOCOL_ROUTES } from '../site/protocol-routes.ts'
import type { OpenApiDocument } from '../writing/document-types.ts'
import { openApiDocument } from './document.ts'

const DESCRIPTION = `Run LLM agents behind one API.

Send the header \`X-API-Key\` with every request, or the key as a bearer token where clients of other protocols do. Bodies are JSON in UTF-8, at most 1 MB. Every error has the shape
\`{"error": code, "message": text}\`; failed validations list every failure in \`errors\`.`

/**
 * The OpenAPI document of the public API.
 *
 * @param publicUrl of the server, without a trailing slash
 */
export function publicDocument(publicUrl: string): OpenApiDocument {
  return openApiDocument(
    {
      title: 'Troupe API',
      description: DESCRIPTION,
      operations: [...Object.values(OPERATIONS), ...Object.values(TRIGGER_OPERATIONS)],
      routes: PROTOCOL_ROUTES,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearerKey: { type: 'http', scheme: 'bearer' },
      },
    },
    publicUrl,
  )
}
