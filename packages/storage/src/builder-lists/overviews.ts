import type { RunnableKind } from '@troupe/agents/ports'
import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import { getTableColumns } from 'drizzle-orm'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type BoundStatement, type ParameterValues, statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'
import { agents } from '../tables/configuration/agents.ts'
import { teams } from '../tables/configuration/teams.ts'
import { RUNNABLE_TABLES } from '../tables/table-name.ts'
import { VERSION_AUTHOR } from './actor-name.ts'
import type {
  NamedModel,
  OverviewFilter,
  Overviews,
  ResourceUse,
  RunnableDetails,
  RunnableOverviews,
  TeamOverview,
  VersionAuthor,
} from './port.ts'
import { callersOf } from './resources/resource-users.ts'
import { MOST_READ_OF_A_DAY, type WeekOfRuns, weekOfRuns } from './week-of-runs.ts'

/** Maximum runs to count per agent or team: a busy one has millions a day. */
const MOST_COUNTED = 10_000

/** The columns of a table that lists show, without the configuration, which is large. */
function listed(table: typeof agents | typeof teams): string {
  const { organizationId: _, config: _config, ...columns } = getTableColumns(table)
  return Object.entries(columns)
    .map(([name, column]) => `e.${column.name} as "${name}"`)
    .join(', ')
}

const LISTED_COLUMNS: Record<RunnableKind, string> = { agent: listed(agents), team: listed(teams) }

/** Facts of only one of the two kinds. */
const OWN_FACTS: Record<RunnableKind, string> = {
  agent: `(
    select json_agg(json_build_object('llmConfigId', m.model->>'llm_config_id', 'llmConfigName', c.name,
      'modelId', m.model->>'model_id') order by m.position)
    from (
      select e.config#>'{model,primary}' as model, 0 as position
      union all
      select f.value, f.position from json_array_elements(e.config#>'{model,fallbacks}') with ordinality f(value, position)
    ) m
    left join llm_configurations c on c.organization_id = e.organization_id and c.id = (m.model->>'llm_config_id')::uuid
  ) as models`,
  team: `e.config->>'mode' as mode, (
    select coalesce(json_agg(json_build_object('agentId', a.id, 'name', a.name, 'role', m.role) order by m.role, a.name, a.id), '[]')
    from team_agents m join agents a on a.organization_id = m.organization_id and a.id = m.agent_id
    where m.organization_id = e.organization_id and m.team_id = e.id
  ) as agents`,
}

/** The users of an agent or a team `e`: kind, id, name. */
const USES: Record<RunnableKind, string> = {
  agent: `select 'team' as kind, t.id, t.name from teams t
      where t.organization_id = e.organization_id
        and t.id in (select m.team_id from team_agents m where m.organization_id = e.organization_id and m.agent_id = e.id)
      union all `,
  team: '',
}

const PUBLISHED = (kind: RunnableKind) => `select 'workflow', w.id, w.name
      from workflow_resources r join workflows w on w.active_deployment_id = r.deployment_id
      where r.organization_id = e.organization_id and r.kind = '${kind}' and r.resource_id = e.id
        and w.organization_id = e.organization_id and w.deleted_at is null`

/** Columns of a single item only. */
const CALLERS: Record<RunnableKind, string> = {
  agent: `
      union all select 'agent', c.id, c.name from (${callersOf('e.organization_id', 'e.id')}) c`,
  team: '',
}

const sinceCallers = (kind: RunnableKind) => `r.organization_id = e.organization_id and r.entity_id = e.id
    and r.kind = '${kind}' and r.parent_run_id is null and not r.is_test`

/** The columns of every agent or team `e` of the page, which the statement calls `page`. */
const columnsOf = (kind: RunnableKind, p: { now: string }, callers = '') => `
  ${LISTED_COLUMNS[kind]}, ${OWN_FACTS[kind]}, (
    select ${VERSION_AUTHOR} from ${RUNNABLE_TABLES[kind].versions} v where v.id = e.version_id
  ) as "changedBy", (
    select coalesce(json_agg(json_build_object('kind', u.kind, 'id', u.id, 'name', u.name) order by u.kind, u.name, u.id), '[]')
    from (${USES[kind]}${PUBLISHED(kind)}${callers}) u(kind, id, name)
  ) as "usedBy", (
    select r.created_at from runs r where ${sinceCallers(kind)} order by r.created_at desc limit 1
  ) as "lastRunAt", day.completed as "completed24h", day.failed as "failed24h", (
    ${weekOfRuns(`${p.now}::timestamptz`, `from runs r where ${sinceCallers(kind)}`, {
      at: 'r.created_at',
      ok: `status = 'completed'`,
      failed: `status in ('failed', 'timeout')`,
      newest: MOST_READ_OF_A_DAY,
    })}
  ) as week, (
    select c.cost_micros from costs c where c.key = e.id::text
  ) as "costMicros7d"
from page e
cross join lateral (
  select (count(*) filter (where s.status = 'completed'))::int as completed,
    (count(*) filter (where s.status in ('failed', 'timeout')))::int as failed
  from (
    select r.status from runs r where ${sinceCallers(kind)} and r.created_at > ${p.now}::timestamptz - interval '24 hours'
    order by r.created_at desc limit ${MOST_COUNTED}
  ) s
) day`

/** The declared columns of {@link columnsOf}. */
const SHARED_COLUMNS = {
  projectId: nullable(uuid<ProjectId>()),
  slug: nullable(text()),
  name: text(),
  description: nullable(text()),
  configSchemaVersion: number(),
  versionNumber: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  changedBy: json<VersionAuthor>(),
  usedBy: json<ResourceUse[]>(),
  lastRunAt: nullable(timestamp()),
  completed24h: number(),
  failed24h: number(),
  week: json<WeekOfRuns>(),
  costMicros7d: nullable(number()),
}

const AGENT_COLUMNS = {
  ...SHARED_COLUMNS,
  id: uuid<AgentId>(),
  versionId: uuid<AgentVersionId>(),
  status: text<AgentStatus>(),
  models: json<NamedModel[]>(),
}

const TEAM_COLUMNS = {
  ...SHARED_COLUMNS,
  id: uuid<TeamId>(),
  versionId: uuid<TeamVersionId>(),
  mode: text<TeamConfig['mode']>(),
  agents: json<TeamOverview['agents']>(),
}

/** Costs of seven days (UTC) of the items of the page, from the daily totals of the ledger. */
const costsOf = (kind: RunnableKind, p: Record<'organizationId' | 'now', string>) => `costs as (
  select t.key, sum(t.cost_micros)::bigint as cost_micros from usage_totals t
  where t.organization_id = ${p.organizationId}::uuid and t.dimension = '${kind}'
    and t.day > (${p.now}::timestamptz at time zone 'UTC')::date - 7 and t.key in (select id::text from page)
  group by t.key
)`

const ORDERS: Record<OverviewFilter['sort'], string> = {
  name: 'lower_case(e.name), e.id',
  '-updatedAt': 'e.updated_at desc, e.id desc',
  '-createdAt': 'e.created_at desc, e.id desc',
}

type ListParameter =
  | 'organizationId'
  | 'q'
  | 'projectId'
  | 'noProject'
  | 'status'
  | 'limit'
  | 'offset'
  | 'now'

const contains = (column: string, q: string) =>
  `position(lower_case(${q}::text) in lower_case(${column})) > 0`

/** One row per item of the page, each with the total; a page without items is one row with it and the nulls of an outer join. */
function listStatement(kind: RunnableKind, sort: OverviewFilter['sort']) {
  return statement<ListParameter>(`${kind}_overviews_by_${sort.replace('-', '')}`, (p) => {
    const matches = `e.organization_id = ${p.organizationId}::uuid
    and (${p.q}::text is null or ${contains('e.name', p.q)} or ${contains('e.slug', p.q)} or ${contains('e.description', p.q)}
      or starts_with(e.id::text, lower_case(${p.q}::text)))
    and (${p.projectId}::uuid is null or e.project_id = ${p.projectId}::uuid)
    and (not ${p.noProject}::boolean or e.project_id is null)${
      kind === 'agent' ? ` and (${p.status}::text is null or e.status = ${p.status}::text)` : ''
    }`
    const order = ORDERS[sort]
    return `
with page as (
  select e.* from ${RUNNABLE_TABLES[kind].current} e where ${matches} order by ${order} limit ${p.limit}::int offset ${p.offset}::bigint
), ${costsOf(kind, p)}
select matching.total, item.* from (select count(*)::int as total from ${RUNNABLE_TABLES[kind].current} e where ${matches}) matching
left join (select row_number() over (order by ${order}) as position, ${columnsOf(kind, p)}) item on true
order by item.position`
  })
}

function itemStatement(kind: RunnableKind) {
  return statement<'organizationId' | 'id' | 'now'>(
    `${kind}_overview`,
    (p) => `
with page as (
  select e.* from ${RUNNABLE_TABLES[kind].current} e where e.organization_id = ${p.organizationId}::uuid and e.id = ${p.id}::uuid
), ${costsOf(kind, p)}
select e.config, ${columnsOf(kind, p, CALLERS[kind])}`,
  )
}

/** The columns of a page beside those of its items. */
const PAGE = { total: number() }
const PLACE = { position: number() }

type ListedRow<T> = { total: number } & (T | { [Name in keyof T]: null })
type Stated<Name extends string, Row> = (values: ParameterValues<Name>) => BoundStatement<Row>

const agentList = (sort: OverviewFilter['sort']) =>
  listStatement('agent', sort).returning(PAGE, { ...AGENT_COLUMNS, ...PLACE })
const teamList = (sort: OverviewFilter['sort']) =>
  listStatement('team', sort).returning(PAGE, { ...TEAM_COLUMNS, ...PLACE })

const LISTS: {
  [K in RunnableKind]: Record<
    OverviewFilter['sort'],
    Stated<ListParameter, ListedRow<RunnableOverviews[K] & { position: number }>>
  >
} = {
  agent: {
    name: agentList('name'),
    '-updatedAt': agentList('-updatedAt'),
    '-createdAt': agentList('-createdAt'),
  },
  team: {
    name: teamList('name'),
    '-updatedAt': teamList('-updatedAt'),
    '-createdAt': teamList('-createdAt'),
  },
}

const ITEMS: { [K in RunnableKind]: Stated<'organizationId' | 'id' | 'now', RunnableDetails[K]> } = {
  agent: itemStatement('agent').returning({ ...AGENT_COLUMNS, config: json<AgentConfig>() }),
  team: itemStatement('team').returning({ ...TEAM_COLUMNS, config: json<TeamConfig>() }),
}

function isItem<T extends { id: string }>(row: ListedRow<T>): row is ListedRow<T> & T {
  return row.id !== null
}

/** Lists and single items with what the builder's pages show beside them. */
export function overviews(client: SqlClient): Overviews {
  return {
    async page<K extends RunnableKind>(
      kind: K,
      organizationId: OrganizationId,
      { q, sort, projectId, status, page, limit }: OverviewFilter,
      now: Date,
    ) {
      const rows = await client.query(
        ...LISTS[kind][sort]({
          organizationId,
          q: q === null ? null : storableText(q),
          projectId: projectId === 'none' ? null : projectId,
          noProject: projectId === 'none',
          status,
          limit,
          offset: (page - 1) * limit,
          now: now.toISOString(),
        }),
      )
      // A page beyond the last item is one row without an item.
      return { rows: rows.filter(isItem), total: rows[0]?.total ?? 0 }
    },
    async find<K extends RunnableKind>(kind: K, organizationId: OrganizationId, id: string, now: Date) {
      const [row] = await client.query(...ITEMS[kind]({ organizationId, id, now: now.toISOString() }))
      return row ?? null
    },
  }
}
