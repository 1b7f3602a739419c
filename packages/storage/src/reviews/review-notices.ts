import type { OrganizationId, ReviewId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { DueNotice, ReviewStore } from '@troupe/workflows/ports'
import { noticesOf } from '../notices/notices.ts'
import { json, notNull, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'

const COLUMNS = `n.id as "reviewId", n.organization_id as "organizationId", n.workflow_id as "workflowId", n.run_id as "runId",
  coalesce((select name from workflows where id = n.workflow_id), '') as "workflowName", n.title,
  (extract(epoch from n.expires_at) * 1000)::bigint as "expiresAt"`

const ROW = {
  reviewId: uuid<ReviewId>(),
  organizationId: uuid<OrganizationId>(),
  workflowId: uuid<WorkflowId>(),
  runId: uuid<WorkflowRunId>(),
  workflowName: text(),
  title: text(),
  expiresAt: nullable(number()),
  sealedLink: notNull(text()),
  notify: json<DueNotice['notify']>(),
  attempt: number(),
}

/** The notices of open reviews. */
export function reviewNotices(client: SqlClient): Pick<ReviewStore, 'takeDueNotices' | 'noticed'> {
  const { take, noticed } = noticesOf(client, {
    name: 'reviews',
    isOpen: `n.status = 'open'`,
    columns: COLUMNS,
    row: ROW,
  })
  return { takeDueNotices: take, noticed }
}
