import { BusyError } from '@troupe/heavy-work'
import { configuredCredential } from '../credentials/configured-credential.ts'
import { performRequest } from '../request/perform-request.ts'
import type { RequestParts } from '../request/request-parts.ts'
import type { ConfigOf, ToolBody, ToolMaker, ToolUse } from '../tool/tool-maker.ts'
import { buildOperationRequest } from './build-operation-request.ts'
import type { DocumentCache, DocumentLocation } from './document-cache.ts'
import { prefixedNames } from './operation-names.ts'
import type { OperationRequest } from './operation-request.ts'

type OpenapiConfig = ConfigOf<'openapi'>

const RESPONSE_MAX_KB = 256
/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

function locationOf({ document, spec_url: address }: OpenapiConfig): DocumentLocation {
  if (document === undefined) return { address: address ?? '' }
  return { text: typeof document === 'string' ? document : JSON.stringify(document) }
}

/** Replaces the operations if the document cannot be read, so that the model gets the reason. */
function unavailable(reason: string, names: readonly string[], busy: BusyError | null = null): ToolBody {
  return {
    standIn: { reason, names, ...(busy && { busy }) },
    description: 'This tool is not available now.',
    inputSchema: { type: 'object', properties: {} },
    idempotent: true,
    execute: async () => ({ ok: false, code: 'unavailable', message: reason }),
  }
}

function bodyOf(
  config: OpenapiConfig,
  operation: OperationRequest,
  name: string,
  { use, parts }: { use: ToolUse; parts: RequestParts },
): ToolBody {
  const { description, method, inputSchema } = operation
  const idempotent = config.idempotent ?? SAFE.has(method)
  const options = {
    credentialId: configuredCredential(config),
    maxBytes: (config.response_max_kb ?? RESPONSE_MAX_KB) * 1024,
    idempotent,
  }
  return {
    name,
    description,
    inputSchema,
    idempotent,
    execute: (input, call, context) =>
      performRequest(buildOperationRequest(operation, { input, context }), call, { use, parts, options }),
  }
}

/** Dependencies of operations of documents. */
export interface OpenapiParts extends RequestParts {
  /** Shared by the process. */
  documents: DocumentCache
}

/** The operations of an OpenAPI document, one tool each; those that cannot be sent completely are omitted. */
export const makeOpenapi: ToolMaker<'openapi', OpenapiParts> = async (config, use, parts) => {
  const { organizationId } = use.agent
  const read = await parts.documents
    .operations(organizationId, locationOf(config), config.operations ?? null)
    .catch((error: unknown) => {
      if (error instanceof BusyError) return error
      throw error
    })
  use.run.signal.throwIfAborted()
  if (read instanceof BusyError) return [unavailable(read.message, [], read)]
  const shown = (names: readonly string[]) => prefixedNames(config.prefix, names)
  const leftOut = shown(read.leftOut.map(({ name }) => name))
  for (const [index, { reason }] of read.leftOut.entries()) use.leaveOut(leftOut[index] ?? '', reason)
  if (!read.ok) return [unavailable(read.problem, shown(read.names ?? []))]
  const names = shown(read.operations.map(({ name }) => name))
  return read.operations.map((operation, index) =>
    bodyOf(config, operation, names[index] ?? operation.name, { use, parts }),
  )
}
