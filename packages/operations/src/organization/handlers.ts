import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { getOrganization } from './get-organization.ts'
import { type UpdateOrganizationParts, updateOrganization } from './update-organization.ts'

/** The organization itself. */
export function organizationHandlers(
  parts: UpdateOrganizationParts & { database: Pick<Database, 'read'> },
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  return [
    handler(op.getOrganization, ({ caller }) => getOrganization(parts.database.read, caller)),
    handler(op.updateOrganization, ({ caller, body }) => updateOrganization(parts, caller, body)),
  ]
}
