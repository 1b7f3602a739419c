import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { auditLog } from '../tables/tenants/audit.ts'
import type { AuditEntry, AuditWriter } from './port.ts'

export function auditWriter({ db }: WriteContext): AuditWriter {
  return {
    async append(entry) {
      await db.insert(auditLog).values(rowOf(entry))
    },
    async appendAll(entries) {
      if (entries.length > 0) await db.insert(auditLog).values(entries.map(rowOf))
    },
  }
}

function rowOf({ actor, ...entry }: AuditEntry) {
  return {
    ...entry,
    actorKind: actor.kind,
    actorId: actor.id,
    actorIp: actor.ip,
    requestId: actor.requestId,
  }
}
