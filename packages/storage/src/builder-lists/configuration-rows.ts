import type { OrganizationId, ProjectId } from '@troupe/contract'
import {
  type Column,
  type Columns,
  nullable,
  number,
  type RowOfColumns,
  text,
  timestamp,
  uuid,
} from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'

/** A page of a list of configuration; absent fields do not narrow it. */
export interface ConfigurationQuery {
  /** Part of the searched text, or the start of the id. */
  q?: string | undefined
  sort?: 'name' | '-updatedAt' | '-createdAt' | undefined
  /** `none`: only rows without a project. */
  projectId?: ProjectId | 'none' | undefined
  page?: number | undefined
  limit?: number | undefined
}

/** The parameters of such a list's statement. */
type PageParameter = 'organizationId' | 'q' | 'sort' | 'projectId' | 'limit' | 'offset'

/** Rows of one kind of configuration. The functions are called with an SQL expression of the organization's id. */
interface ConfigurationKind<C extends Columns> {
  /** The names of the two statements: of a page, and of one row. */
  names: readonly [page: string, one: string]
  /** The columns of `select` and `details`. */
  columns: C
  /** The alias of the table in `from`, whose rows have an id and an organization. */
  alias: string
  from: string
  /** A condition on the rows besides their organization. */
  where?: string
  /** The expressions id, name, projectId, createdAt, updatedAt, and any others. */
  select: string
  /** The same expressions, for a page that is narrowed and sorted by other columns than those of `select`. */
  selectOfPage?: string
  /** The searched text. */
  searched: string
  /** A common table expression over the rows, which it calls `page`. */
  shared?: (organization: string) => string
  /** Additional columns of a row `r`: a select with one row. */
  details: (organization: string) => string
}

const sorted = (sort: string) => `
    case when ${sort}::text = 'name' then lower_case(m.name) end,
    case ${sort}::text when '-updatedAt' then m."updatedAt" when '-createdAt' then m."createdAt" end desc, m.id`

/** A page beyond the last row returns one row of nulls. */
function absent(columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, nullable(of)]))
}

/** Reads of one kind of configuration, each in one round trip: a page with its total, and one row. */
export function configurationRows<C extends Columns & { id: Column<string> }>(kind: ConfigurationKind<C>) {
  const { names, columns, alias, from, select, selectOfPage = select, searched, shared, details } = kind
  const rowsOf = (organization: string) =>
    `from ${from} where ${alias}.organization_id = ${organization}${kind.where ? ` and ${kind.where}` : ''}`
  const sharedOf = (organization: string) => (shared ? `, ${shared(organization)}` : '')
  const pageOf = statement<PageParameter>(names[0], (p) => {
    const organization = `${p.organizationId}::uuid`
    return `
with matching as (
  select s.* from (select ${selectOfPage}, ${searched} as searched ${rowsOf(organization)}) s
  where (${p.projectId}::text is null or s."projectId"::text is not distinct from nullif(${p.projectId}::text, 'none'))
    and (${p.q}::text is null or position(lower_case(${p.q}::text) in lower_case(s.searched)) > 0
      or starts_with(s.id::text, lower_case(${p.q}::text)))
), page as (
  select m.*, row_number() over (order by ${sorted(p.sort)}) as place from matching m
  order by ${sorted(p.sort)} limit ${p.limit}::int offset ${p.offset}::bigint
)${sharedOf(organization)}
select t.total, r.*, d.*
from (select count(*)::int as total from matching) t
left join page r on true
left join lateral (${details(organization)}) d on r.id is not null
order by r.place`
  }).returning({
    projectId: nullable(uuid<ProjectId>()),
    updatedAt: nullable(timestamp()),
    ...absent(columns),
    searched: nullable(text()),
    total: number(),
    place: nullable(number()),
  })
  const one = statement<'organizationId' | 'id'>(names[1], (p) => {
    const organization = `${p.organizationId}::uuid`
    return `
with page as (select ${select} ${rowsOf(organization)} and ${alias}.id = ${p.id}::uuid)${sharedOf(organization)}
select r.*, d.* from page r cross join lateral (${details(organization)}) d`
  }).returning(columns)
  return (client: SqlClient) => ({
    async page(
      organizationId: OrganizationId,
      { q, sort = '-updatedAt', projectId, page = 1, limit = 20 }: ConfigurationQuery,
    ): Promise<{ rows: RowOfColumns<C>[]; total: number }> {
      const found = await client.query(
        ...pageOf({
          organizationId,
          q: q === undefined ? null : storableText(q),
          sort,
          projectId: projectId?.toLowerCase() ?? null,
          limit,
          offset: (page - 1) * limit,
        }),
      )
      // Only a row of nulls has no place, so the remaining rows have every column.
      const rows = found.filter(({ place }) => place !== null) as unknown as RowOfColumns<C>[]
      return { rows, total: found[0]?.total ?? 0 }
    },
    /** null when the organization has no row of this id. */
    async byId(
      organizationId: OrganizationId,
      id: RowOfColumns<C>['id'] & string,
    ): Promise<RowOfColumns<C> | null> {
      const [row] = await client.query(...one({ organizationId, id }))
      return row ?? null
    },
  })
}
