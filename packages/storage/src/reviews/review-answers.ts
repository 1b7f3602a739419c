import type { ReviewActor } from '@troupe/contract'
import type { EditableField, ReviewAnswer, ReviewStore, ReviewVerdict } from '@troupe/workflows/ports'
import { json, nullable, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'

/**
 * Decided reviews whose nodes still wait. The decision's transaction records only the decision; the worker
 * that owns the run applies it to the node. An answer is returned until a commit of the node includes it, so
 * a worker that dies earlier loses nothing.
 */
const READ_ANSWERS = statement<'runId'>(
  'read_review_answers',
  (p) => `
select r.path, r.node_id, r.status, r.fields, r.decision, floor(extract(epoch from r.decided_at))::bigint as decided_at
from reviews r
join workflow_node_runs n on n.run_id = r.run_id and n.path = r.path and n.node_id = r.node_id and n.status = 'waiting'
where r.run_id = ${p.runId}::uuid and r.status in ('approved', 'rejected', 'timeout')
order by r.decided_at, r.path, r.node_id`,
).returning({
  path: text(),
  node_id: text(),
  status: text<ReviewVerdict>(),
  fields: json<EditableField[]>(),
  decision: nullable(json<{ by: ReviewActor; comment: string | null; data: Record<string, unknown> }>()),
  decided_at: number(),
})

type Row = RowOf<typeof READ_ANSWERS>

function toAnswer({ path, node_id, status, fields, decision, decided_at }: Row): ReviewAnswer {
  return {
    path,
    nodeId: node_id,
    decision: status,
    comment: decision?.comment ?? null,
    data: decision?.data ?? Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    reviewedBy: decision?.by ?? null,
    reviewedAt: decided_at,
  }
}

export function reviewAnswers(client: SqlClient): ReviewStore['answers'] {
  return async (runId) => (await client.query(...READ_ANSWERS({ runId }))).map(toAnswer)
}
