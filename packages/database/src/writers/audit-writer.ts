import type { Writers } from '../database.ts'
import { auditLog } from '../schema/audit-log.ts'
import type { WriteContext } from './write-context.ts'

export function auditWriter({ db }: WriteContext): Writers['audit'] {
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
