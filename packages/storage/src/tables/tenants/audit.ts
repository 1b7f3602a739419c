import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, organizationId, projectId } from '../columns/column-types.ts'

/** The author of a change: a person, an API key, the deployment's operator, or the server itself. */
export type ActorKind = 'user' | 'api_key' | 'operator' | 'system'

/** Changes with their authors. No foreign keys: entries outlive the rows that they describe. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId(),
    projectId: projectId(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    actorId: text('actor_id'),
    actorIp: text('actor_ip'),
    requestId: freeText('request_id'),
    action: text('action').notNull(),
    entityKind: text('entity_kind').notNull(),
    entityId: text('entity_id').notNull(),
    before: document('before'),
    after: document('after'),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_newest').on(t.organizationId, t.createdAt, t.id),
    index('audit_log_entity').on(t.organizationId, t.entityKind, t.entityId, t.createdAt),
  ],
)
