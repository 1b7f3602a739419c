import { auditLog } from '@troupe/tables/tenants/audit'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { WriteContext } from '../drizzle/write-context.ts'
import type { AuditJoiner, AuditWriter } from './port.ts'

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

export function auditJoiner(context: WriteContext): AuditJoiner {
  const { db } = context
  return {
    async join(entry, seconds, combine) {
      const { organizationId, actor, action, entityKind, entityId } = entry
      const [latest] = await db
        .select({
          id: auditLog.id,
          kind: auditLog.actorKind,
          actorId: auditLog.actorId,
          action: auditLog.action,
          before: auditLog.before,
          after: auditLog.after,
          isRecent: sql<boolean>`${auditLog.createdAt} > now() - make_interval(secs => ${seconds})`,
        })
        .from(auditLog)
        .where(
          and(
            eq(auditLog.organizationId, organizationId),
            eq(auditLog.entityKind, entityKind),
            eq(auditLog.entityId, entityId),
          ),
        )
        .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
        .limit(1)
      const isSame =
        latest?.isRecent &&
        latest.action === action &&
        latest.kind === actor.kind &&
        latest.actorId === actor.id
      if (!isSame) return auditWriter(context).append(entry)
      await db
        .update(auditLog)
        .set(combine(latest))
        .where(and(eq(auditLog.organizationId, organizationId), eq(auditLog.id, latest.id)))
    },
  }
}
