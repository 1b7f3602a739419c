import type { CredentialId, CredentialKind, ProjectId } from '@troupe/contract'
import { json, nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import { configurationRows } from './configuration-rows.ts'
import { mentionsOf } from './resources/reference-owners.ts'

/** A user of a credential or an MCP server. */
export interface ConnectionUserRow {
  kind: 'agent' | 'team' | 'workflow' | 'mcp_server' | 'voice_configuration'
  id: string
  name: string
}

const COLUMNS = `c.id, c.slug, c.name, c.project_id as "projectId", c.kind, c.username, c.field,
  c.sealed_secret as "sealedSecret", c.secret_set_at as "secretSetAt", array_to_json(c.hosts) as hosts, c.version,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`

const details = (organization: string) => `
select (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select coalesce(json_agg(u), '[]'::json) from (
    select m.kind, m.id, m.name from mentions m where m.of = r.id
    union
    select 'mcp_server', m.id, m.name from mcp_servers m where m.organization_id = ${organization} and m.credential_id = r.id
    order by kind, name limit 100
  ) u) as "usedBy"`

const ROW = {
  id: uuid<CredentialId>(),
  slug: text(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
  kind: text<CredentialKind>(),
  username: nullable(text()),
  field: nullable(text()),
  sealedSecret: text(),
  secretSetAt: timestamp(),
  hosts: json<string[]>(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  projectName: nullable(text()),
  /** At most 100, by kind and name. */
  usedBy: json<ConnectionUserRow[]>(),
}

/** A credential of tools as a list shows it; its secret stays sealed. */
export type CredentialRow = RowOfColumns<typeof ROW>

/** Reads of credentials. */
export const credentialRows = configurationRows({
  names: ['list_credentials', 'get_credential'],
  columns: ROW,
  alias: 'c',
  from: 'credentials c',
  select: COLUMNS,
  searched: `concat_ws(' ', c.name, c.slug, array_to_string(c.hosts, ' '))`,
  shared: mentionsOf,
  details,
})
