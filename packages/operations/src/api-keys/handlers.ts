import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import { type ChangeApiKeyParts, createApiKey, revokeApiKey, updateApiKey } from './change-api-key.ts'
import { presentApiKey } from './find-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'

/** API keys of the organization. */
export function apiKeyHandlers(parts: ChangeApiKeyParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { apiKeys } = parts.database.read.builder
  return [
    handler(op.listApiKeys, async ({ caller, query }) =>
      pageOf(query, await apiKeys.page(caller.organizationId, configurationQuery(query)), presentApiKey),
    ),
    handler(op.createApiKey, ({ caller, body }) => createApiKey(parts, caller, body)),
    handler(op.updateApiKey, ({ caller, params, body }) =>
      updateApiKey(parts, caller, params.apiKeyId, body),
    ),
    handler(op.revokeApiKey, ({ caller, params }) => revokeApiKey(parts, caller, params.apiKeyId)),
    handler(op.rotateApiKey, ({ caller, params, body }) =>
      rotateApiKey(parts, caller, params.apiKeyId, body),
    ),
  ]
}
