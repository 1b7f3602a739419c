import type { ReviewActor } from '@troupe/contract'
import type { EditableField, ReviewAnswer, ReviewStore, ReviewVerdict } from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/client/sql-client.ts'

/**
 * Decided reviews whose nodes still wait. The decision's transaction records only the decision; the worker
 * that owns the run applies it to the node. An answer is returned until a commit of the node includes it, so
 * a worker that dies earlier loses nothing.
 */
const READ_ANSWERS = {
  name: 'read_review_answers',
  text: `
select r.path, r.node_id, r.status, r.fields, r.decision, floor(extract(epoch from r.decided_at))::bigint as decided_at
from reviews r
join workflow_node_runs n on n.run_id = r.run_id and n.path = r.path and n.node_id = r.node_id and n.status = 'waiting'
where r.run_id = $1::uuid and r.status in ('approved', 'rejected', 'timeout')
order by r.decided_at, r.path, r.node_id`,
}

interface Row {
  path: string
  node_id: string
  status: ReviewVerdict
  fields: EditableField[]
  decision: { by: ReviewActor; comment: string | null; data: Record<string, unknown> } | null
  decided_at: number
}

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
  return async (runId) => (await client.query<Row>(READ_ANSWERS, [runId])).map(toAnswer)
}
