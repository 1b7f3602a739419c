import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableText } from '../sql/client/storable.ts'
import type { WebhookDelivery, WebhookLog } from './port.ts'

/** Maximum stored deliveries per workflow. */
const KEPT = 100

/**
 * Deliveries of a workflow that was deleted in the meantime are dropped. Only the newest of the new deliveries are
 * written, and as many older ones are deleted; one with a key is kept for ten minutes, because it answers
 * duplicates.
 */
const APPEND = statement<'deliveries'>(
  'append_webhook_deliveries',
  (p) => `
with given as (
  select *, row_number() over (partition by workflow_id order by received_at desc, id desc) as place
  from json_to_recordset(${p.deliveries}::json) as given(id uuid, organization_id uuid, workflow_id uuid, received_at timestamptz,
    status integer, reason text, execution_id uuid, ip text, headers json, body text, body_bytes integer)
), kept as (
  insert into webhook_deliveries (id, organization_id, workflow_id, received_at, status, reason, execution_id, ip,
    headers, body, body_bytes)
  select id, organization_id, workflow_id, received_at, status, reason, execution_id, ip, headers, body, body_bytes
  from given where place <= ${KEPT} and exists (select from workflows w where w.id = given.workflow_id for key share)
), counts as (
  select workflow_id, least(count(*), ${KEPT}) as added from given group by workflow_id
), old as (
  select older.id from counts, lateral (
    select id, received_at, dedupe_key from webhook_deliveries d where d.workflow_id = counts.workflow_id
    order by received_at desc, id desc offset ${KEPT} - counts.added
  ) older
  where older.dedupe_key is null or older.received_at < now() - interval '10 minutes'
)
delete from webhook_deliveries where id in (select id from old)`,
)

const SWEEP = statement<'before'>(
  'sweep_webhook_deliveries',
  (p) => `delete from webhook_deliveries where received_at < ${p.before}::timestamptz`,
)

function rowOf(delivery: WebhookDelivery) {
  const { id, organizationId, workflowId, receivedAt, status, reason, executionId, ip, headers } = delivery
  return {
    id,
    organization_id: organizationId,
    workflow_id: workflowId,
    received_at: receivedAt.toISOString(),
    status,
    reason,
    execution_id: executionId,
    ip,
    headers,
    body: storableText(delivery.body),
    body_bytes: delivery.bodyBytes,
  }
}

/** The log as hand-written SQL: one statement for each batch. */
export function webhookLog(client: SqlClient): WebhookLog {
  return {
    async append(deliveries) {
      if (deliveries.length > 0)
        await client.query(...APPEND({ deliveries: storableJson(deliveries.map(rowOf)) }))
    },
    async sweep(before) {
      await client.query(...SWEEP({ before: new Date(before).toISOString() }))
    },
  }
}
