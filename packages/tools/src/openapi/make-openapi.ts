import { type HttpToolConfig, httpPlan } from '@troupe/contract'
import { buildRequest } from '../http/build-request.ts'
import { performRequest } from '../request/perform-request.ts'
import type { RequestParts } from '../request/request-parts.ts'
import type { ConfigOf, ToolBody, ToolMaker, ToolUse } from '../tool/tool-maker.ts'
import type { DocumentCache, DocumentLocation } from './document-cache.ts'
import type { OperationRequest } from './read-operations.ts'

type OpenapiConfig = ConfigOf<'openapi'>

const RESPONSE_MAX_KB = 256
const NOTHING_UNPLACED = { names: new Set<string>(), open: false }

function locationOf({ document, spec_url: address }: OpenapiConfig): DocumentLocation {
  if (document === undefined) return { address: address ?? '' }
  return { text: typeof document === 'string' ? document : JSON.stringify(document) }
}

/** Offered in place of the operations when the document cannot be read: the model is told why. */
function unavailable(reason: string, names: readonly string[]): ToolBody {
  return {
    standIn: { reason, names },
    description: 'This tool is not available now.',
    inputSchema: { type: 'object', properties: {} },
    idempotent: true,
    execute: async () => ({ ok: false, code: 'unavailable', message: reason }),
  }
}

function shownName({ prefix }: OpenapiConfig, name: string): string {
  return (prefix ? `${prefix}_${name}` : name).slice(0, 64)
}

function bodyOf(
  config: OpenapiConfig,
  operation: OperationRequest,
  use: ToolUse,
  parts: RequestParts,
): ToolBody {
  const { name, description, request, inputSchema } = operation
  const idempotent = config.idempotent ?? request.method === 'GET'
  const options = {
    credentialId: config.auth_credential_id ?? null,
    maxBytes: (config.response_max_kb ?? RESPONSE_MAX_KB) * 1024,
    idempotent,
  }
  const whole: HttpToolConfig = { type: 'http', name: config.name, ...request, input_schema: inputSchema }
  const planned = httpPlan({
    ...whole,
    ...(config.context_keys ? { context_keys: config.context_keys } : {}),
  })
  return {
    name: shownName(config, name),
    description,
    inputSchema,
    idempotent,
    async execute(input, call, context) {
      if (!planned.ok) {
        const [first] = planned.errors
        return {
          ok: false,
          code: 'failed',
          message: `The operation cannot be called: ${first?.path} ${first?.message}.`,
        }
      }
      const built = buildRequest(planned.plan, NOTHING_UNPLACED, { input, context })
      return performRequest(built, call, { use, parts, options })
    },
  }
}

/** What the operations of documents need. */
export interface OpenapiParts extends RequestParts {
  /** Kept for the life of the process. */
  documents: DocumentCache
}

/** The operations of an OpenAPI document, one tool each. */
export const makeOpenapi: ToolMaker<'openapi', OpenapiParts> = async (config, use, parts) => {
  const { organizationId } = use.agent
  const read = await parts.documents.operations(organizationId, locationOf(config), config.operations ?? null)
  use.run.signal.throwIfAborted()
  if (!read.ok) {
    const { problem, names = [] } = read
    return [
      unavailable(
        problem,
        names.map((name) => shownName(config, name)),
      ),
    ]
  }
  return read.operations.map((operation) => bodyOf(config, operation, use, parts))
}
