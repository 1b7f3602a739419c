import type { WriteContext } from '@troupe/tables/drizzle/write-context'
import { auditLog } from '@troupe/tables/tenants/audit'
import type { AuditWriter } from './port.ts'

export function auditWriter({ db }: WriteContext): AuditWriter {
  return {
    async append({ organizationId, projectId, actor, action, entityKind, entityId, before, after }) {
      await db.insert(auditLog).values({
        organizationId,
        projectId,
        actorKind: actor.kind,
        actorId: actor.id,
        actorIp: actor.ip,
        requestId: actor.requestId,
        action,
        entityKind,
        entityId,
        before,
        after,
      })
    },
  }
}
