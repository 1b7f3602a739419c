import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import {
  type ChangeCredentialParts,
  createCredential,
  deleteCredential,
  showCredential,
  updateCredential,
} from './change-credential.ts'
import { presentCredential } from './present-credential.ts'

/** Credentials of tools. */
export function credentialHandlers(parts: ChangeCredentialParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { secretBox } = parts
  const { read } = parts.database
  return [
    handler(op.listCredentials, async ({ caller, query }) =>
      pageOf(
        query,
        await read.builder.credentials.page(caller.organizationId, configurationQuery(query)),
        (row) => presentCredential(secretBox, row),
      ),
    ),
    handler(op.getCredential, ({ caller, params }) =>
      showCredential(read, secretBox, caller.organizationId, params.credentialId),
    ),
    handler(op.createCredential, ({ caller, body }) => createCredential(parts, caller, body)),
    handler(op.updateCredential, ({ caller, params, body }) =>
      updateCredential(parts, caller, params.credentialId, body),
    ),
    handler(op.deleteCredential, async ({ caller, params }) => {
      await deleteCredential(parts, caller, params.credentialId)
      return null
    }),
  ]
}
