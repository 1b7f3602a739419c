import type { ApprovalId, ReviewId } from '@troupe/contract'
import { type Columns, type RowOfColumns, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { STORED_NOW } from '../sql/client/stored-now.ts'

/** Rows per call; each may be several messages. */
const BATCH = 20

/** A table with the columns of notices. */
export interface NoticeTable<C extends Columns> {
  name: 'reviews' | 'approvals'
  /** Whether the row `n` is still open: a closed one sends no notifications. */
  isOpen: string
  /** The columns of a notice besides `sealedLink`, `notify` and `attempt`, over the row `n`. */
  columns: string
  /** Every column of a notice. */
  row: C
}

/** The notices of a table as hand-written SQL. */
export function noticesOf<C extends Columns>(
  client: SqlClient,
  { name, isOpen, columns, row }: NoticeTable<C>,
): {
  take(leaseSeconds: number): Promise<RowOfColumns<C>[]>
  /** False if the row is closed. */
  noticed(id: string, left: { notify: object; retrySeconds: number } | null): Promise<boolean>
} {
  // Taking a notice postpones its next attempt: no other process sends it in the meantime, and it is sent again if the sender
  // crashes.
  const takeDue = statement<'leaseSeconds'>(
    `take_due_notices_of_${name}`,
    (p) => `
update ${name} n set notify_due_at = now() + make_interval(secs => ${p.leaseSeconds}::float8),
  notify_attempts = n.notify_attempts + 1
where n.id in (
  select n.id from ${name} n where n.notify_due_at <= ${STORED_NOW} and ${isOpen}
  order by n.notify_due_at limit ${BATCH} for update of n skip locked
)
returning ${columns}, n.token_sealed as "sealedLink", n.notify, n.notify_attempts as attempt`,
  ).returning(row)
  // A row that was decided in the meantime has already dropped its notices.
  const noticed = statement<'id' | 'notify' | 'retrySeconds'>(
    `noticed_of_${name}`,
    (p) => `
update ${name} set notify = coalesce(${p.notify}::json, notify), notify_due_at = now() + make_interval(secs => ${p.retrySeconds}::float8),
  token_sealed = case when ${p.retrySeconds}::float8 is not null then token_sealed end
where id = ${p.id}::uuid and notify_due_at is not null
returning id`,
  ).returning({ id: uuid<ReviewId | ApprovalId>() })
  return {
    take: (leaseSeconds) => client.query(...takeDue({ leaseSeconds })),
    async noticed(id, left) {
      const rows = await client.query(
        ...noticed({
          id,
          notify: left ? JSON.stringify(left.notify) : null,
          retrySeconds: left?.retrySeconds ?? null,
        }),
      )
      return rows.length > 0
    },
  }
}
