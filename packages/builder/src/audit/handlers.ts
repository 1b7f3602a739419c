import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import type { Database } from '@troupe/database'
import { type BuilderHandler, handler } from '../handling/handler.ts'
import { listAudit } from './list-audit.ts'

/** The audit log of the organization. */
export function auditHandlers({ database }: { database: Pick<Database, 'read'> }): BuilderHandler[] {
  return [
    handler(BUILDER_OPERATIONS.listAudit, ({ caller, query }) => listAudit(database.read, caller, query)),
  ]
}
