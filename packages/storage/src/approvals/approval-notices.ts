import type { ApprovalId, OrganizationId } from '@troupe/contract'
import { noticesOf } from '../notices/notices.ts'
import { json, notNull, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { ApprovalNotices, DueApprovalNotice } from './port.ts'
import { RUN_IS_ACTIVE } from './rows.ts'

const IS_OPEN = `n.status = 'pending' and n.expires_at > now()
  and exists (select from runs r where r.id = n.run_id and ${RUN_IS_ACTIVE})`
const COLUMNS = `n.id as "approvalId", n.organization_id as "organizationId", n.tool_name as "toolName",
  coalesce((select name from agents where id = n.agent_id), '') as "agentName",
  (extract(epoch from n.expires_at) * 1000)::bigint as "expiresAt"`

const ROW = {
  approvalId: uuid<ApprovalId>(),
  organizationId: uuid<OrganizationId>(),
  toolName: text(),
  agentName: text(),
  expiresAt: number(),
  sealedLink: notNull(text()),
  notify: json<DueApprovalNotice['notify']>(),
  attempt: number(),
}

const FIND_LINK = statement<'approvalId'>(
  'find_approval_link',
  (p) =>
    `select organization_id as "organizationId", token_hash as hash from approvals where id = ${p.approvalId}::uuid`,
).returning({ organizationId: uuid<OrganizationId>(), hash: nullable(text()) })

/** Approval links, and the e-mails about pending ones. */
export function approvalNotices(client: SqlClient): ApprovalNotices {
  const { take, noticed } = noticesOf(client, {
    name: 'approvals',
    isOpen: IS_OPEN,
    columns: COLUMNS,
    row: ROW,
  })
  return {
    takeDueNotices: take,
    noticed,
    async link(approvalId) {
      const rows = await client.query(...FIND_LINK({ approvalId }))
      return rows[0] ?? null
    },
  }
}
