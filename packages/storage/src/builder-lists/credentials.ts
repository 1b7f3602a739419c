import type { CredentialId, CredentialKind, OrganizationId, ProjectId } from '@troupe/contract'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { type ConfigurationQuery, configurationPage } from './configuration-page.ts'
import { mentionsOf } from './resources/reference-owners.ts'

/** A user of a credential or an MCP server. */
export interface ConnectionUserRow {
  kind: 'agent' | 'team' | 'workflow' | 'mcp_server' | 'voice_configuration'
  id: string
  name: string
}

/** A credential of tools as a list shows it; its secret stays sealed. */
export interface CredentialRow {
  id: CredentialId
  slug: string
  name: string
  projectId: ProjectId | null
  projectName: string | null
  kind: CredentialKind
  username: string | null
  field: string | null
  sealedSecret: string
  secretSetAt: Date
  hosts: string[]
  version: number
  createdAt: Date
  updatedAt: Date
  /** At most 100, by kind and name. */
  usedBy: ConnectionUserRow[]
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

/** The columns of {@link BY_ID} and of a page. */
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
  usedBy: json<ConnectionUserRow[]>(),
}

const readPage = configurationPage({
  columns: ROW,
  name: 'list_credentials',
  rows: (p) => `
    select ${COLUMNS}, concat_ws(' ', c.name, c.slug, array_to_string(c.hosts, ' ')) as searched from credentials c
    where c.organization_id = ${p.organizationId}::uuid`,
  shared: (p) => mentionsOf(`${p.organizationId}::uuid`),
  details: (p) => details(`${p.organizationId}::uuid`),
})

const BY_ID = statement<'organizationId' | 'id'>(
  'get_credential',
  (p) => `
with page as (
  select ${COLUMNS} from credentials c where c.organization_id = ${p.organizationId}::uuid and c.id = ${p.id}::uuid
), ${mentionsOf(`${p.organizationId}::uuid`)}
select r.*, d.* from page r cross join lateral (${details(`${p.organizationId}::uuid`)}) d`,
).returning(ROW)

/** Reads of credentials. */
export function credentialRows(client: SqlClient) {
  return {
    page: (organizationId: OrganizationId, query: ConfigurationQuery) =>
      readPage(client, organizationId, query),
    /** null when the organization has no such credential. */
    async byId(organizationId: OrganizationId, id: CredentialId): Promise<CredentialRow | null> {
      const [row] = await client.query(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
