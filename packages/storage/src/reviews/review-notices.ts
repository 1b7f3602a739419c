import type { DueNotice, ReviewStore } from '@troupe/workflows/ports'
import { noticesOf } from '../notices/notices.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'

const COLUMNS = `n.id as "reviewId", n.organization_id as "organizationId", n.workflow_id as "workflowId", n.run_id as "runId",
  coalesce((select name from workflows where id = n.workflow_id), '') as "workflowName", n.title,
  (extract(epoch from n.expires_at) * 1000)::bigint as "expiresAt"`

/** The notices of open reviews. */
export function reviewNotices(client: SqlClient): Pick<ReviewStore, 'takeDueNotices' | 'noticed'> {
  const { take, noticed } = noticesOf<DueNotice, DueNotice['notify']>(client, {
    name: 'reviews',
    isOpen: `n.status = 'open'`,
    columns: COLUMNS,
  })
  return { takeDueNotices: take, noticed }
}
