import type { ProjectId } from '@troupe/contract'
import { nullable, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableText } from '../../sql/client/storable.ts'
import { RUNNABLE_TABLES, type TableName } from '../../tables/table-name.ts'
import type { Observation } from '../port/observation.ts'
import type { SearchHit } from '../port/search-hit.ts'

/** Minimum digits of an id for a search of tables that are too large to scan. */
const ENOUGH_OF_AN_ID = 8
/** Maximum rows to examine for one id prefix. */
const MOST_OF_A_BEGINNING = 1_000

interface Named {
  kind: string
  /** A table, or a select in parentheses. */
  from: TableName | `(select ${string})`
  detail: string
  where?: string
  /** The column of the name; `name` when absent. */
  name?: string
  slug?: boolean
  project?: boolean
}

const NAMED: readonly Named[] = [
  { kind: 'agent', from: 'agents', detail: 't.status', slug: true, project: true },
  { kind: 'team', from: 'teams', detail: 'null', slug: true, project: true },
  {
    kind: 'workflow',
    from: 'workflows',
    detail: 'null',
    where: 't.deleted_at is null',
    slug: true,
    project: true,
  },
  {
    kind: 'llm_configuration',
    from: 'llm_configurations',
    detail: 't.provider_id',
    slug: true,
    project: true,
  },
  { kind: 'knowledge_base', from: 'knowledge_bases', detail: 'null', slug: true, project: true },
  { kind: 'skill', from: 'skills', name: 'slug', detail: 'null', project: true },
  { kind: 'credential', from: 'credentials', detail: 'null', slug: true, project: true },
  { kind: 'mcp_server', from: 'mcp_servers', detail: 't.url', slug: true, project: true },
  // A voice has the name of its agent.
  {
    kind: 'voice_configuration',
    from: `(select v.id, v.organization_id, v.slug, a.name, a.project_id from voice_configurations v
      join agents a on a.id = v.agent_id and a.organization_id = v.organization_id)`,
    detail: 'null',
    slug: true,
    project: true,
  },
  { kind: 'phone_trunk', from: 'phone_trunks', detail: 't.address', slug: true, project: true },
  { kind: 'project', from: 'projects', detail: 'null', slug: true },
  {
    kind: 'api_key',
    from: 'api_keys',
    detail: `case when t.revoked_at is not null then 'revoked' end`,
    project: true,
  },
]

type Parameter = 'organizationId' | 'text' | 'idStart' | 'idFrom' | 'idTo' | 'limit'
type P = Readonly<Record<Parameter, string>>

/** The rank of a name: exact match, prefix, part. */
const rank = (name: string, p: P) =>
  `case when lower_case(${name}) = lower_case(${p.text}::text) then 0
    when starts_with(lower_case(${name}), lower_case(${p.text}::text)) then 1 else 2 end`

const contains = (name: string, p: P) => `position(lower_case(${p.text}::text) in lower_case(${name})) > 0`

function byName({ kind, from, name = 'name', detail, where, slug, project }: Named, p: P): string {
  const slugs = slug ? `or ${contains('t.slug', p)}` : ''
  const ids = `or (${p.idStart}::text is not null and t.id::text like ${p.idStart})`
  return `(select '${kind}' as kind, t.id, t.${name} as name, ${detail} as detail, ${project ? 't.project_id' : 'null::uuid'} as project_id,
    null::uuid as parent_id, ${rank(`t.${name}`, p)} as rank
  from ${from} t
  where t.organization_id = ${p.organizationId}::uuid and (${contains(`t.${name}`, p)} ${slugs} ${ids}) ${where ? `and ${where}` : ''}
  order by rank, t.${name} limit ${p.limit}::int)`
}

/** Rows of a table by an id prefix, found by the primary key. */
const begun = (table: TableName, p: P) =>
  `(select * from ${table} where id between ${p.idFrom}::uuid and ${p.idTo}::uuid limit ${MOST_OF_A_BEGINNING})`

const byId = (p: P): string[] => [
  `(select r.kind || '_run', r.id, coalesce(case r.kind when 'agent' then (select name from agents where id = r.entity_id)
      else (select name from teams where id = r.entity_id) end, ''), r.status, r.project_id, r.entity_id, 0
    from ${begun('runs', p)} r where r.organization_id = ${p.organizationId}::uuid and r.parent_run_id is null)`,
  `(select 'workflow_run', r.id, coalesce((select name from workflows where id = r.workflow_id), ''), r.status, r.project_id,
      r.workflow_id, 0
    from ${begun('workflow_runs', p)} r where r.organization_id = ${p.organizationId}::uuid)`,
  `(select 'review', r.id, r.title, r.status, r.project_id, r.run_id, 0
    from ${begun('reviews', p)} r where r.organization_id = ${p.organizationId}::uuid)`,
  ...(['agent', 'team', 'workflow'] as const).map(
    (kind) => `(select '${kind}_version', v.id, e.name, 'v' || v.n, e.project_id, e.id, 0
    from ${begun(RUNNABLE_TABLES[kind].versions, p)} v join ${RUNNABLE_TABLES[kind].current} e on e.id = v.${kind}_id and e.organization_id = v.organization_id
    where v.organization_id = ${p.organizationId}::uuid)`,
  ),
]

const SEARCH = statement<Parameter>(
  'search_everything',
  (p) => `
select kind, id, name, detail, project_id as "projectId", parent_id as "parentId"
from (${[...NAMED.map((named) => byName(named, p)), ...byId(p)].join('\nunion all\n')}) hits
order by rank, name, id limit ${p.limit}::int`,
).returning({
  kind: text<SearchHit['kind']>(),
  id: uuid<string>(),
  name: text(),
  detail: nullable(text()),
  projectId: nullable(uuid<ProjectId>()),
  parentId: nullable(uuid<string>()),
})

/** The range of ids with the prefix `text`; null if it is too short or has other characters. */
function idsFrom(text: string): { from: string; to: string } | null {
  const digits = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < ENOUGH_OF_AN_ID || digits.length > 32) return null
  const asUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { from: asUuid(digits.padEnd(32, '0')), to: asUuid(digits.padEnd(32, 'f')) }
}

export function search(client: SqlClient): Observation['search'] {
  return async (organizationId, given, limit) => {
    const text = storableText(given)
    const ids = idsFrom(text)
    const values = {
      ...{ organizationId, text, limit },
      idStart: ids && `${text.toLowerCase()}%`,
      // An empty range if the text is not an id prefix.
      idFrom: ids?.from ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      idTo: ids?.to ?? '00000000-0000-0000-0000-000000000000',
    }
    return client.query(...SEARCH(values))
  }
}
