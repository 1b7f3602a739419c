import type { OrganizationId, ProjectId } from '@troupe/contract'
import { json, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { TableName } from '../tables/table-name.ts'
import { type ConfigurationQuery, configurationPage } from './configuration-page.ts'

/** The tables with resources of a project, by the name of their count. */
const CONTENTS = {
  agents: 'agents',
  teams: 'teams',
  workflows: 'workflows',
  apiKeys: 'api_keys',
  llmConfigurations: 'llm_configurations',
  credentials: 'credentials',
  mcpServers: 'mcp_servers',
  knowledgeBases: 'knowledge_bases',
  skills: 'skills',
  phoneTrunks: 'phone_trunks',
  budgets: 'budgets',
} as const satisfies Record<string, TableName>

/** A project as a list shows it. */
export interface ProjectRow {
  id: ProjectId
  slug: string
  name: string
  version: number
  createdAt: Date
  updatedAt: Date
  /** The number of resources of each kind; deleted workflows do not count. */
  contents: Record<keyof typeof CONTENTS, number>
}

const COLUMNS = `p.id, p.slug, p.name, p.version, p.created_at as "createdAt", p.updated_at as "updatedAt"`

const contents = (organization: string) => `
select json_build_object(${Object.entries(CONTENTS)
  .map(([name, table]) => {
    const living = table === 'workflows' ? ' and x.deleted_at is null' : ''
    return `'${name}', (select count(*)::int from ${table} x where x.organization_id = ${organization} and x.project_id = r.id${living})`
  })
  .join(',\n  ')}) as contents`

/** The columns of {@link BY_ID} and of a page. */
const ROW = {
  id: uuid<ProjectId>(),
  slug: text(),
  name: text(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  contents: json<Record<keyof typeof CONTENTS, number>>(),
}

const readPage = configurationPage({
  columns: ROW,
  name: 'list_projects',
  rows: (p) => `
    select ${COLUMNS}, null::uuid as "projectId", concat_ws(' ', p.name, p.slug) as searched from projects p
    where p.organization_id = ${p.organizationId}::uuid`,
  details: (p) => contents(`${p.organizationId}::uuid`),
})

const BY_ID = statement<'organizationId' | 'id'>(
  'get_project',
  (p) => `
select r.*, d.* from (
  select ${COLUMNS} from projects p where p.organization_id = ${p.organizationId}::uuid and p.id = ${p.id}::uuid
) r cross join lateral (${contents(`${p.organizationId}::uuid`)}) d`,
).returning(ROW)

/** Reads of projects. */
export function projectRows(client: SqlClient) {
  return {
    page: (organizationId: OrganizationId, query: ConfigurationQuery) =>
      readPage(client, organizationId, query),
    /** null when the organization has no such project. */
    async byId(organizationId: OrganizationId, id: ProjectId): Promise<ProjectRow | null> {
      const [row] = await client.query(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
