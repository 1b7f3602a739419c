import type { ApprovalStore, DueApprovalNotice } from '@troupe/agents/ports'
import type { SqlClient } from '@troupe/sql'
import { noticesOf } from '../notices/notices.ts'

const IS_OPEN = `n.status = 'pending' and n.expires_at > now()
  and exists (select from runs r where r.id = n.run_id and r.status in ('queued', 'running'))`
const COLUMNS = `n.id as "approvalId", n.organization_id as "organizationId", n.tool_name as "toolName",
  coalesce((select name from agents where id = n.agent_id), '') as "agentName",
  (extract(epoch from n.expires_at) * 1000)::bigint as "expiresAt"`

/** The notices of pending approvals. */
export function approvalNotices(client: SqlClient): Pick<ApprovalStore, 'takeDueNotices' | 'noticed'> {
  const { take, noticed } = noticesOf<DueApprovalNotice, DueApprovalNotice['notify']>(client, {
    name: 'approvals',
    isOpen: IS_OPEN,
    columns: COLUMNS,
  })
  return { takeDueNotices: take, noticed }
}
