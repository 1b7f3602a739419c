import type { ApprovalFilter, ApprovalStore, ApprovalVerdict, Scope } from '@troupe/agents/ports'
import type { RunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import { CHANNEL } from '../listen-notify/listeners.ts'
import { CONTINUE_RUN, CONTINUED_DELIVERY } from '../reviews/rows/review-rows.ts'
import { boolean, json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../sql/client/statement.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { approvalNotices } from './approval-notices.ts'
import type { ApprovalNotices } from './port.ts'
import {
  APPROVAL_COLUMNS,
  APPROVAL_ROW,
  approvalRow,
  NOBODY_TO_TELL,
  OPENED_APPROVAL,
  WITH_STATUS,
} from './rows.ts'

const OPEN = statement<'runId' | 'organizationId' | 'approval'>(
  'open_approval',
  (p) => `
with run as (
  select id, organization_id, project_id, store_messages from runs
  where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and status = 'running'
) ${OPENED_APPROVAL('run', p.approval)}`,
)

/** The row lock serialises this with a decision: the second statement finds the status changed. */
const EXPIRE = statement<'approvalId'>(
  'expire_approval',
  (p) =>
    `update approvals set status = 'expired', resolved_at = now(), ${NOBODY_TO_TELL} where id = ${p.approvalId}::uuid and status = 'pending' and expires_at <= now()`,
)

const VERDICT = statement<'approvalId'>(
  'approval_verdict',
  (p) =>
    `select status, reason, expires_at <= now() as "isLate" from approvals where id = ${p.approvalId}::uuid`,
).returning({
  status: text<ApprovalVerdict['status'] | 'pending'>(),
  reason: nullable(text()),
  isLate: boolean(),
})

const FIND = statement<'organizationId' | 'approvalId'>(
  'find_approval',
  (p) => `
select ${APPROVAL_COLUMNS} from approvals a join runs r on r.id = a.run_id
where a.id = ${p.approvalId}::uuid and a.organization_id = ${p.organizationId}::uuid`,
).returning(APPROVAL_ROW)

type Shown = keyof typeof WITH_STATUS

const filtered = (shown: Shown, p: Placeholders<keyof Scope | 'asks'>) => `
from approvals a join runs r on r.id = a.run_id
where a.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or a.project_id = ${p.projectId}::uuid)
  and (${p.asks}::text is null or ${p.asks} = any(a.asks)) ${WITH_STATUS[shown]}`

type ListOrder = 'newest' | 'deadline'

/** The order of a list, and the comparison for the rows after another row. */
const ORDERS = {
  newest: { by: 'a.created_at desc, a.id desc', key: ['created_at', 'id'], follows: '<' },
  deadline: { by: 'a.expires_at, a.id', key: ['expires_at', 'id'], follows: '>' },
} as const

const pageOf = (shown: Shown, order: ListOrder) => {
  const { by, key, follows } = ORDERS[order]
  const name = `page_approvals_${shown}_${order}`
  return {
    first: statement<keyof Scope | 'asks' | 'limit' | 'offset'>(
      name,
      (p) => `
select ${APPROVAL_COLUMNS} ${filtered(shown, p)} order by ${by} limit ${p.limit}::int offset ${p.offset}::bigint`,
    ).returning(APPROVAL_ROW),
    after: statement<keyof Scope | 'asks' | 'limit' | 'after'>(
      `${name}_after`,
      (p) => `
select ${APPROVAL_COLUMNS} ${filtered(shown, p)} and (${key.map((column) => `a.${column}`).join(', ')}) ${follows} (
  select ${key.join(', ')} from approvals where id = ${p.after}::uuid and organization_id = ${p.organizationId}::uuid)
order by ${by} limit ${p.limit}::int`,
    ).returning(APPROVAL_ROW),
  }
}

const listOf = (shown: Shown) => ({
  newest: pageOf(shown, 'newest'),
  deadline: pageOf(shown, 'deadline'),
  count: statement<keyof Scope | 'asks'>(
    `count_approvals_${shown}`,
    (p) => `select count(*) as total ${filtered(shown, p)}`,
  ).returning({ total: number() }),
})

const LISTS: Record<Shown, ReturnType<typeof listOf>> = {
  all: listOf('all'),
  pending: listOf('pending'),
  approved: listOf('approved'),
  denied: listOf('denied'),
  decided: listOf('decided'),
  expired: listOf('expired'),
}

const CLOSE_ENDED = statement(
  'close_approvals_of_ended_runs',
  () => `
with closed as (
  update approvals set args = case when forgets then '{}'::json else args end, forgets = false,
    status = case when status = 'pending' then 'expired' else status end,
    reason = case when status = 'pending' then 'The run has ended.' else reason end,
    resolved_at = coalesce(resolved_at, now()), ${NOBODY_TO_TELL}
  where id in (
    select a.id from approvals a join runs r on r.id = a.run_id
    where (a.status = 'pending' or a.forgets) and r.status not in ('queued', 'running')
    limit ${BATCH} for update of a skip locked
  )
  returning 1
)
select count(*) as rows from closed`,
).returning({ rows: number() })

const IS_LATE = `exists (select from approvals a where a.run_id = r.id and a.status = 'pending' and a.expires_at <= now())`

/** A decision clears `waiting_since`; a run whose worker was lost has none. */
const DECIDED = statement<'runIds'>(
  'decided_runs_of_nodes',
  (p) => `
select r.id from runs r
where r.id = any (array(select value::uuid from json_array_elements_text(${p.runIds}::json)))
  and (r.waiting_since is null or r.status not in ('queued', 'running') or ${IS_LATE})`,
).returning({ id: uuid<RunId>() })

/**
 * Continues runs whose approval has expired, as a decision would: the workflow continues, and its node's run then
 * records the expiry. Workflow runs that another sweep, a decision or a worker has locked are left to the next sweep.
 */
const CONTINUE_LATE = statement(
  'continue_late_approvals',
  () => `
with late as (
  select w.id as workflow_id, array_agg(r.id) as run_ids
  from approvals a join runs r on r.id = a.run_id and r.source = 'workflow' and r.status = 'running' and r.waiting_since is not null
    join workflow_runs w on w.id = r.workflow_run_id and w.status in ('running', 'paused', 'awaiting_approval')
  where a.status = 'pending' and a.expires_at <= now()
  group by w.id limit ${BATCH}
), held as (
  select id as held_id from workflow_runs where id in (select workflow_id from late)
    and status in ('running', 'paused', 'awaiting_approval') for update skip locked
), woken as (
  update runs set waiting_since = null, deadline_at = deadline_at + (now() - waiting_since)
  from late join held on held_id = workflow_id
  where runs.id = any (run_ids) and runs.status = 'running' and waiting_since is not null
  returning workflow_run_id as woken_id
), continued as (
  update workflow_runs set ${CONTINUE_RUN}
  where id in (select woken_id from woken)
  returning id, lease_until is not null as in_hand, ${CONTINUED_DELIVERY}
), told as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'review_decided', 'runId', id)::text) from continued where in_hand
)
select (select count(*) from continued) as rows, (select count(*) from told) as told,
  (select json_agg(delivery) from continued where delivery is not null) as deliveries`,
).returning({ rows: number(), told: number(), deliveries: nullable(json<Delivery[]>()) })

/** The rows of approvals as hand-written SQL. */
export function approvalStore(client: SqlClient): ApprovalStore & ApprovalNotices {
  return {
    ...approvalNotices(client),
    async open(run, approval) {
      await client.query(...OPEN({ ...run, approval: approvalRow(approval) }))
    },
    async verdict(approvalId) {
      const read = () => client.query(...VERDICT({ approvalId }))
      let [row] = await read()
      if (row?.status === 'pending' && row.isLate) {
        await client.query(...EXPIRE({ approvalId }))
        ;[row] = await read()
      }
      if (!row) return { status: 'expired', reason: null }
      const { status, reason } = row
      return status === 'pending' ? null : { status, reason }
    },
    async decided(runIds) {
      if (runIds.length === 0) return new Set()
      const rows = await client.query(...DECIDED({ runIds: JSON.stringify(runIds) }))
      return new Set(rows.map(({ id }) => id))
    },
    async continueLate() {
      const rows = await inBatches(client, ...CONTINUE_LATE({}))
      return rows.flatMap(({ deliveries }) => deliveries ?? [])
    },
    async find(organizationId, approvalId) {
      const [row] = await client.query(...FIND({ organizationId, approvalId }))
      return row ?? null
    },
    async page({ organizationId, projectId }: Scope, filter: ApprovalFilter) {
      const scope = { organizationId, projectId, asks: filter.asks ?? null }
      const list = LISTS[filter.status ?? 'all']
      const { limit, after } = filter
      const page = list[filter.order ?? 'newest']
      const count = () => client.query(...list.count(scope))
      if (after) {
        const rows = await client.query(...page.after({ ...scope, limit, after }))
        const [counted] = await count()
        return { rows, total: counted?.total ?? 0 }
      }
      const rows = await client.query(...page.first({ ...scope, limit, offset: offsetOf(filter) }))
      return withTotal(filter, rows, count)
    },
    async closeEnded() {
      await inBatches(client, ...CLOSE_ENDED({}))
    },
  }
}
