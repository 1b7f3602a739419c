import type { ProjectId } from '@troupe/contract'
import { json, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { TableName } from '../tables/table-name.ts'
import { configurationRows } from './configuration-rows.ts'

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

const COLUMNS = `p.id, p.slug, p.name, p.version, p.created_at as "createdAt", p.updated_at as "updatedAt"`

const contents = (organization: string) => `
select json_build_object(${Object.entries(CONTENTS)
  .map(([name, table]) => {
    const living = table === 'workflows' ? ' and x.deleted_at is null' : ''
    return `'${name}', (select count(*)::int from ${table} x where x.organization_id = ${organization} and x.project_id = r.id${living})`
  })
  .join(',\n  ')}) as contents`

const ROW = {
  id: uuid<ProjectId>(),
  slug: text(),
  name: text(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  /** The number of resources of each kind; deleted workflows do not count. */
  contents: json<Record<keyof typeof CONTENTS, number>>(),
}

/** A project as a list shows it. */
export type ProjectRow = RowOfColumns<typeof ROW>

/** Reads of projects. */
export const projectRows = configurationRows({
  names: ['list_projects', 'get_project'],
  columns: ROW,
  alias: 'p',
  from: 'projects p',
  select: COLUMNS,
  selectOfPage: `${COLUMNS}, null::uuid as "projectId"`,
  searched: `concat_ws(' ', p.name, p.slug)`,
  details: contents,
})
