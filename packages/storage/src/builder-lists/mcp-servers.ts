import type { CredentialId, McpServerId, OrganizationId, ProjectId } from '@troupe/contract'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { type ConfigurationQuery, configurationPage } from './configuration-page.ts'
import type { ConnectionUserRow } from './credentials.ts'
import { mentionsOf } from './resources/reference-owners.ts'

/** An MCP server as a list shows it. */
export interface McpServerRow {
  id: McpServerId
  slug: string
  name: string
  projectId: ProjectId | null
  projectName: string | null
  url: string
  credentialId: CredentialId | null
  credentialName: string | null
  /** Number of tools that it has offered, and of those that have changed since. */
  toolCount: number
  changedCount: number
  version: number
  createdAt: Date
  updatedAt: Date
  /** At most 100, by kind and name. */
  usedBy: ConnectionUserRow[]
}

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

/** The columns of {@link BY_ID} and of a page. */
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
  toolCount: number(),
  changedCount: number(),
  usedBy: json<ConnectionUserRow[]>(),
}

const readPage = configurationPage({
  columns: ROW,
  name: 'list_mcp_servers',
  rows: (p) => `
    select ${COLUMNS}, concat_ws(' ', s.name, s.slug, s.url) as searched from mcp_servers s
    where s.organization_id = ${p.organizationId}::uuid`,
  shared: (p) => mentionsOf(`${p.organizationId}::uuid`),
  details: (p) => details(`${p.organizationId}::uuid`),
})

const BY_ID = statement<'organizationId' | 'id'>(
  'get_mcp_server',
  (p) => `
with page as (
  select ${COLUMNS} from mcp_servers s where s.organization_id = ${p.organizationId}::uuid and s.id = ${p.id}::uuid
), ${mentionsOf(`${p.organizationId}::uuid`)}
select r.*, d.* from page r cross join lateral (${details(`${p.organizationId}::uuid`)}) d`,
).returning(ROW)

/** Reads of MCP servers. */
export function mcpServerRows(client: SqlClient) {
  return {
    page: (organizationId: OrganizationId, query: ConfigurationQuery) =>
      readPage(client, organizationId, query),
    /** null when the organization has no such server. */
    async byId(organizationId: OrganizationId, id: McpServerId): Promise<McpServerRow | null> {
      const [row] = await client.query(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
