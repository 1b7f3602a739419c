import type { EditorTabId, OrganizationId, UserId, WorkflowId } from '@troupe/contract'
import { json } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'

/** Interval after a tab's last report for which it counts as open. */
const PRESENT = `interval '45 seconds'`
/** Maximum shown tabs per person and organization. */
const MOST_TABS = 16
/** Maximum tabs of a workflow in a response. */
const MOST_LISTED = 50

/**
 * Whether a row of `workflow_presence` counts: it is recent, and its person is a signed-in member who may read the
 * workflow.
 */
export function isPresent(row: string, organization: string, workflow: string): string {
  return `${row}.workflow_id = ${workflow} and ${row}.organization_id = ${organization} and ${row}.seen_at > now() - ${PRESENT}
    and exists (select from members m where m.organization_id = ${row}.organization_id and m.user_id = ${row}.user_id
      and m.status = 'active' and m.role <> 'reviewer')
    and exists (select from sign_in_sessions s where s.user_id = ${row}.user_id and s.expires_at > now())`
}

/** A tab that shows a workflow. */
export interface PresenceRow {
  tabId: EditorTabId
  userId: UserId
  name: string
  /** The open step; null if none. */
  nodeId: string | null
}

/** A report of a tab. */
export interface Presence {
  organizationId: OrganizationId
  workflowId: WorkflowId
  tabId: EditorTabId
  userId: UserId
  nodeId: string | null
}

/** Presence of people in workflows. */
export interface WorkflowPresence {
  /** Ignored if the tab id belongs to another person, or if the person has too many tabs. */
  enter(presence: Presence): Promise<void>
  leave(tab: Omit<Presence, 'nodeId'>): Promise<void>
  /** At most 50 tabs, by name; null if the organization has no such workflow. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<PresenceRow[] | null>
}

const ENTER = statement<'organizationId' | 'workflowId' | 'tabId' | 'userId' | 'nodeId'>(
  'enter_workflow',
  (p) => `
insert into workflow_presence as w (organization_id, workflow_id, tab_id, user_id, node_id)
select ${p.organizationId}::uuid, ${p.workflowId}::uuid, ${p.tabId}::uuid, ${p.userId}::uuid, ${p.nodeId}::text
from workflows f where f.organization_id = ${p.organizationId}::uuid and f.id = ${p.workflowId}::uuid and f.deleted_at is null
  and (select count(*) from workflow_presence o where o.organization_id = ${p.organizationId}::uuid
    and o.user_id = ${p.userId}::uuid and o.tab_id <> ${p.tabId}::uuid and o.seen_at > now() - ${PRESENT}) < ${MOST_TABS}
on conflict (workflow_id, tab_id) do update set node_id = excluded.node_id, seen_at = now()
  where w.user_id = excluded.user_id`,
)

const LEAVE = statement<'organizationId' | 'workflowId' | 'tabId' | 'userId'>(
  'leave_workflow',
  (p) => `
delete from workflow_presence where organization_id = ${p.organizationId}::uuid and workflow_id = ${p.workflowId}::uuid
  and tab_id = ${p.tabId}::uuid and user_id = ${p.userId}::uuid`,
)

const LIST = statement<'organizationId' | 'workflowId'>(
  'list_workflow_presence',
  (p) => `
select coalesce((
  select json_agg(json_build_object('tabId', t.tab_id, 'userId', t.user_id, 'name', t.name, 'nodeId', t.node_id)
    order by t.name, t.user_id, t.tab_id)
  from (
    select p.tab_id, p.user_id, u.name, p.node_id from workflow_presence p join users u on u.id = p.user_id
    where ${isPresent('p', 'w.organization_id', 'w.id')}
    order by u.name, p.user_id, p.tab_id limit ${MOST_LISTED}
  ) t), '[]'::json) as tabs
from workflows w
where w.organization_id = ${p.organizationId}::uuid and w.id = ${p.workflowId}::uuid and w.deleted_at is null`,
).returning({ tabs: json<PresenceRow[]>() })

export function presenceRows(client: SqlClient): WorkflowPresence {
  return {
    async enter({ nodeId, ...presence }) {
      await client.query(...ENTER({ ...presence, nodeId: nodeId === null ? null : storableText(nodeId) }))
    },
    async leave({ organizationId, workflowId, tabId, userId }) {
      await client.query(...LEAVE({ organizationId, workflowId, tabId, userId }))
    },
    async list(organizationId, workflowId) {
      const [row] = await client.query(...LIST({ organizationId, workflowId }))
      return row?.tabs ?? null
    },
  }
}
