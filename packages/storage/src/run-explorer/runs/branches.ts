import type { OrganizationId } from '@troupe/contract'
import { ENDED_STATUSES, IN_FLIGHT_STATUSES } from '@troupe/workflows/ports'
import { storableText } from '../../sql/client/storable.ts'
import type { ObservedKind, RunFilter, RunPlace } from '../port/run-list.ts'
import { agentCause, FAILED_STATUSES, workflowCause } from './cause.ts'
import type { StatementValues } from './statement-values.ts'
import { AGENT_RUN_STATUSES } from './summary.ts'

/** A scan of one index, newest first. `filters` are conditions that the index does not have. */
export interface Branch {
  /** The kind of each row, as SQL over `t`. */
  kind: string
  table: 'runs' | 'workflow_runs'
  /**
   * Conditions of the index, over `t`; always with the organization, because the last examined run is returned as
   * `next`.
   */
  conditions: string[]
  filters: string[]
}

/** The placeholders that every branch compares. */
interface Given {
  organizationId: OrganizationId
  filter: RunFilter
  after: RunPlace | null
}

const ALL_KINDS: readonly ObservedKind[] = ['agent', 'team', 'workflow']
const known = (all: readonly string[], asked: readonly string[] | null) =>
  asked === null ? null : all.filter((status) => asked.includes(status))
const iso = (ms: number) => new Date(ms).toISOString()
const textList = (values: readonly string[]) => JSON.stringify(values)

/**
 * The scans that a list merges. Statuses are written into the text, because a partial index is only used for a constant;
 * they come from fixed lists, never from a caller.
 */
export function branchesOf(
  values: StatementValues,
  { organizationId, filter: given, after }: Given,
): Branch[] {
  // Only failures have a cause, and the partial indexes of failures are much smaller.
  const statuses = given.statuses ?? (given.cause === null ? null : FAILED_STATUSES)
  const filter = { ...given, statuses }
  const kinds = ALL_KINDS.filter((kind) => filter.kinds?.includes(kind) ?? true)
  const places = {
    organization: `${values.add(organizationId)}::uuid`,
    entity: filter.entityId === null ? null : `${values.add(filter.entityId)}::uuid`,
    shared: timeConditions(values, filter, after),
    unindexed: unindexedConditions(values, filter),
    cause: filter.cause === null ? null : `${values.add(storableText(filter.cause))}::text`,
    session: filter.sessionId === null ? null : values.add(storableText(filter.sessionId)),
  }
  const ofAgents = kinds.filter((kind) => kind !== 'workflow')
  return [
    ...(ofAgents.length === 0 ? [] : agentBranches(values, ofAgents, filter, places)),
    ...(kinds.includes('workflow') ? workflowBranches(filter, places) : []),
  ]
}

interface Places {
  organization: string
  entity: string | null
  shared: string[]
  unindexed: string[]
  /** Compared in a separate query for each row, so that only the examined rows are read. */
  cause: string | null
  session: string | null
}

function timeConditions(values: StatementValues, { from, to }: RunFilter, after: RunPlace | null): string[] {
  return [
    ...(after === null
      ? []
      : [
          `(t.created_at, t.id) < (${values.add(iso(after.createdAt))}::timestamptz, ${values.add(after.runId)}::uuid)`,
        ]),
    ...(from === null ? [] : [`t.created_at >= ${values.add(iso(from))}::timestamptz`]),
    ...(to === null ? [] : [`t.created_at < ${values.add(iso(to))}::timestamptz`]),
  ]
}

/** Conditions that both tables have. */
function unindexedConditions(values: StatementValues, { sources, apiKeyId, projectId }: RunFilter): string[] {
  const level = projectId === 'none' ? 't.project_id is null' : null
  return [
    ...(sources === null
      ? []
      : [`t.source in (select json_array_elements_text(${values.add(textList(sources))}::json))`]),
    ...(apiKeyId === null ? [] : [`t.api_key_id = ${values.add(apiKeyId)}::uuid`]),
    ...(projectId === null ? [] : [level ?? `t.project_id = ${values.add(projectId)}::uuid`]),
  ]
}

function agentBranches(
  values: StatementValues,
  kinds: readonly ObservedKind[],
  { statuses, tag, userId, isTest }: RunFilter,
  { organization, entity, shared, unindexed, cause, session }: Places,
): Branch[] {
  const asked = known(AGENT_RUN_STATUSES, statuses)
  if (asked?.length === 0) return []
  const filters = [
    ...unindexed,
    ...(tag === null ? [] : [`t.tag = ${values.add(storableText(tag))}`]),
    ...(userId === null ? [] : [`t.user_id = ${values.add(storableText(userId))}`]),
    ...(cause === null ? [] : [`(select ${agentCause('c')} = ${cause} from runs c where c.id = t.id)`]),
    ...(isTest === null ? [] : [isTest ? 't.is_test' : 'not t.is_test']),
  ]
  const root = [`t.organization_id = ${organization}`, 't.parent_run_id is null', ...shared]
  const branch = (kind: string, conditions: string[], more: string[] = []): Branch => ({
    kind,
    table: 'runs',
    conditions: [...root, ...conditions],
    filters: [...filters, ...more],
  })
  const ofEntity = entity === null ? [] : [`t.entity_id = ${entity}`]
  const ofStatus = asked === null ? [] : [oneOf('t.status', asked)]
  const ofKind = kinds.length === 2 ? [] : [oneOf('t.kind', kinds)]
  if (session !== null) {
    const inSession = `t.session_row_id in (select s.id from sessions s where s.organization_id = ${organization} and s.session_id = ${session})`
    return [branch('t.kind', [inSession], [...ofKind, ...ofStatus, ...ofEntity])]
  }
  if (entity !== null) return [branch('t.kind', ofEntity, [...ofKind, ...ofStatus])]
  return kinds.flatMap((kind) => {
    const top = [`t.kind = '${kind}'`, 't.workflow_run_id is null']
    if (asked === null) return [branch(`'${kind}'`, top)]
    return asked.map((status) =>
      status === 'completed'
        ? branch(`'${kind}'`, top, [oneOf('t.status', [status])])
        : branch(`'${kind}'`, [...top, `t.status <> 'completed'`, `t.status = '${status}'`]),
    )
  })
}

function workflowBranches(
  { statuses, tag, userId, isTest, sessionId }: RunFilter,
  { organization, entity, shared, unindexed, cause }: Places,
): Branch[] {
  // Workflows have neither sessions, users nor tags.
  if (tag !== null || userId !== null || sessionId !== null) return []
  const asked = known([...IN_FLIGHT_STATUSES, ...ENDED_STATUSES], statuses)
  if (asked?.length === 0) return []
  const branch = (conditions: string[]): Branch => ({
    kind: `'workflow'`,
    table: 'workflow_runs',
    conditions: [`t.organization_id = ${organization}`, ...conditions, ...shared],
    filters: [
      ...unindexed,
      ...(isTest === null ? [] : [`t.kind = '${isTest ? 'test' : 'run'}'`]),
      ...(cause === null
        ? []
        : [`(select ${workflowCause('c')} = ${cause} from workflow_runs c where c.id = t.id)`]),
    ],
  })
  if (entity !== null) {
    // Checked once: the index has no organization, so runs of another one must not be scanned.
    const isOwn = `exists (select from workflows e where e.id = ${entity} and e.organization_id = ${organization})`
    const all = asked ?? [...IN_FLIGHT_STATUSES, ...ENDED_STATUSES]
    return all.map((status) => branch([isOwn, `t.workflow_id = ${entity}`, `t.status = '${status}'`]))
  }
  if (asked === null) return [branch([])]
  const ended: readonly string[] = ENDED_STATUSES
  return asked.map((status) =>
    branch([`t.status = '${status}'`, ...(ended.includes(status) ? ['t.completed_at is not null'] : [])]),
  )
}

function oneOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`
}

/** The newest runs of a branch; `matches` says whether they also satisfy the filters. */
export function scan({ kind, table, conditions, filters }: Branch, limit: number): string {
  const matches = filters.length === 0 ? 'true' : filters.map((one) => `(${one})`).join(' and ')
  return `(select t.id, t.created_at, ${kind} as kind, t.status, ${matches} as matches from ${table} t
  where ${conditions.join(' and ')}
  order by t.created_at desc, t.id desc limit ${limit})`
}
