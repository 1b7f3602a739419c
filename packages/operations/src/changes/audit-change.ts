import type { ProjectId } from '@troupe/contract'
import type { AuditEntry, Transaction } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** The kinds of settings that are created, updated and deleted. */
type SettingKind =
  | 'credential'
  | 'mcp_server'
  | 'llm_configuration'
  | 'voice_configuration'
  | 'phone_trunk'
  | 'phone_number'

/**
 * Appends a change of a setting to the audit log.
 *
 * @param before null: it was created
 * @param after null: it was deleted
 * @param audited maps a row to the logged fields, without secrets
 */
export async function auditChange<Row extends { id: string; projectId: ProjectId | null }>(
  { write }: Pick<Transaction, 'write'>,
  { organizationId, actor }: BuilderCaller,
  entityKind: SettingKind,
  before: Row | null,
  after: Row | null,
  audited: (row: Row) => AuditEntry['after'],
): Promise<void> {
  const row = after ?? before
  if (!row) return
  const verb = before === null ? 'created' : after === null ? 'deleted' : 'updated'
  await write.audit.append({
    organizationId,
    projectId: row.projectId,
    actor,
    action: `${entityKind}.${verb}`,
    entityKind,
    entityId: row.id,
    before: before && audited(before),
    after: after && audited(after),
  })
}
