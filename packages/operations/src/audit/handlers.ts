import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { getAuditedChange, listAudit } from './list-audit.ts'

/** The audit log of the organization. */
export function auditHandlers({ database }: { database: Pick<Database, 'read'> }): BuilderHandler[] {
  return [
    handler(BUILDER_OPERATIONS.listAudit, ({ caller, query }) => listAudit(database.read, caller, query)),
    handler(BUILDER_OPERATIONS.getAuditedChange, ({ caller, params }) =>
      getAuditedChange(database.read, caller, params.changeId),
    ),
  ]
}
