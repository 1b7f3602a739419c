import type { CredentialId, McpServerId, ProjectId } from '@troupe/contract'
import { json, nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import { configurationRows } from './configuration-rows.ts'
import type { ConnectionUserRow } from './credentials.ts'
import { mentionsOf } from './resources/reference-owners.ts'

const COLUMNS = `s.id, s.slug, s.name, s.project_id as "projectId", s.url, s.credential_id as "credentialId", s.version,
  s.created_at as "createdAt", s.updated_at as "updatedAt"`

const details = (organization: string) => `
select (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select c.name from credentials c where c.organization_id = ${organization} and c.id = r."credentialId") as "credentialName",
  t.*,
  (select coalesce(json_agg(u), '[]'::json) from (
    select m.kind, m.id, m.name from mentions m where m.of = r.id
    order by kind, name limit 100
  ) u) as "usedBy"
from (
  select count(*)::int as "toolCount", count(m.changed_fingerprint)::int as "changedCount" from mcp_server_tools m
  where m.organization_id = ${organization} and m.server_id = r.id
) t`

const ROW = {
  id: uuid<McpServerId>(),
  slug: text(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
  url: text(),
  credentialId: nullable(uuid<CredentialId>()),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  projectName: nullable(text()),
  credentialName: nullable(text()),
  /** Number of tools that it has offered, and of those that have changed since. */
  toolCount: number(),
  changedCount: number(),
  /** At most 100, by kind and name. */
  usedBy: json<ConnectionUserRow[]>(),
}

/** An MCP server as a list shows it. */
export type McpServerRow = RowOfColumns<typeof ROW>

/** Reads of MCP servers. */
export const mcpServerRows = configurationRows({
  names: ['list_mcp_servers', 'get_mcp_server'],
  columns: ROW,
  alias: 's',
  from: 'mcp_servers s',
  select: COLUMNS,
  searched: `concat_ws(' ', s.name, s.slug, s.url)`,
  shared: mentionsOf,
  details,
})
