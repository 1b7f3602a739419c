import {
  DomainError,
  invalidField,
  momentOf,
  ProjectId,
  parseId,
  type QueryOf,
  type ResultOf,
} from '@troupe/contract'
import type { AuditedChange, BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { AuditFilter, AuditRow, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

type ListAudit = (typeof BUILDER_OPERATIONS)['listAudit']

/**
 * One page of changes, newest first. It ends early if its entries are large; `next` continues there.
 *
 * @throws DomainError `validation_error` for an `after` that is not an id of a page, and for times outside the years 1 to
 * 9999
 */
export async function listAudit(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  { after, limit = 20, from, to, projectId, ...filter }: QueryOf<ListAudit>,
): Promise<ResultOf<ListAudit>> {
  const start = after === undefined ? null : positionOf(after)
  const project: ProjectId | null = projectId === undefined ? null : parseId(ProjectId, projectId)
  const period = { from: momentAt('from', from), to: momentAt('to', to) }
  const { rows, hasMore } = await builder.audit.list(organizationId, {
    ...{ ...filter, ...period, projectId: project, after: start },
    limit,
  })
  const last = rows.at(-1)
  const next = hasMore && last ? `${last.at.getTime()}-${last.id}` : null
  return { data: rows.map(presentChange), next }
}

/** @throws DomainError `audit_entry_not_found` */
export async function getAuditedChange(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  changeId: string,
): Promise<AuditedChange> {
  const found = /^\d{1,15}$/.test(changeId)
    ? await builder.audit.find(organizationId, Number(changeId))
    : null
  if (!found) throw new DomainError('audit_entry_not_found', 'Change not found in the audit log.')
  return presentChange(found)
}

function positionOf(after: string): AuditFilter['after'] {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(after) ?? []
  const time = momentOf(Number(at))
  if (time === null) throw invalidField('after', 'must be `next` of the previous page')
  return { at: time, id: Number(id) }
}

function momentAt(path: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined
  const at = momentOf(given)
  if (at === null) throw invalidField(path, 'must be a time of the years 1 to 9999')
  return at
}

function presentChange(row: AuditRow): AuditedChange {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName, ip: row.actorIp },
    action: row.action,
    entity: { kind: row.entityKind, id: row.entityId, name: row.entityName },
    projectId: row.projectId,
    before: row.before,
    after: row.after,
    requestId: row.requestId,
  }
}
