import type { CredentialId, CredentialKind, OrganizationId, ProjectId } from '@troupe/contract'
import { type SqlClient, statement } from '@troupe/sql'
import { type ConfigurationQuery, configurationPage } from './configuration-page.ts'
import { namesId } from './resource-users.ts'

/** What uses a credential or an MCP server. */
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

/** The agents, teams and workflows whose configuration names the row `r`. */
export const connectionUsers = (organization: string) => `
    select 'agent' as kind, a.id, a.name from agents a where a.organization_id = ${organization} and ${namesId('a.config')}
    union all
    select 'team', t.id, t.name from teams t where t.organization_id = ${organization} and ${namesId('t.config')}
    union all
    select 'workflow', w.id, w.name from workflows w where w.organization_id = ${organization} and w.deleted_at is null
      and ${namesId('w.draft')}`

const details = (organization: string) => `
select (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select coalesce(json_agg(u), '[]'::json) from (${connectionUsers(organization)}
    union all
    select 'mcp_server', m.id, m.name from mcp_servers m where m.organization_id = ${organization} and m.credential_id = r.id
    union all
    select 'voice_configuration', v.id, v.slug from voice_configurations v where v.organization_id = ${organization}
      and (v.stt_credential_id = r.id or v.tts_credential_id = r.id or ${namesId('v.settings')})
    order by kind, name limit 100
  ) u) as "usedBy"`

const readPage = configurationPage<CredentialRow>({
  name: 'list_credentials',
  rows: (p) => `
    select ${COLUMNS}, concat_ws(' ', c.name, c.slug, array_to_string(c.hosts, ' ')) as searched from credentials c
    where c.organization_id = ${p.organizationId}::uuid`,
  details: (p) => details(`${p.organizationId}::uuid`),
})

const BY_ID = statement<'organizationId' | 'id'>(
  'get_credential',
  (p) => `
select r.*, d.* from (
  select ${COLUMNS} from credentials c where c.organization_id = ${p.organizationId}::uuid and c.id = ${p.id}::uuid
) r cross join lateral (${details(`${p.organizationId}::uuid`)}) d`,
)

/** Reads of credentials. */
export function credentialRows(client: SqlClient) {
  return {
    page: (organizationId: OrganizationId, query: ConfigurationQuery) =>
      readPage(client, organizationId, query),
    /** null when the organization has no such credential. */
    async byId(organizationId: OrganizationId, id: CredentialId): Promise<CredentialRow | null> {
      const [row] = await client.query<CredentialRow>(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
