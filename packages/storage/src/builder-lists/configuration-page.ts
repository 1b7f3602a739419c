import type { OrganizationId } from '@troupe/contract'
import {
  type Columns,
  nullable,
  number,
  type RowOfColumns,
  text,
  timestamp,
  uuid,
} from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'

/** A page of a list of configuration; absent fields do not narrow it. */
export interface ConfigurationQuery {
  /** Part of the searched text, or the start of the id. */
  q?: string | undefined
  sort?: 'name' | '-updatedAt' | '-createdAt' | undefined
  /** `none`: only rows without a project. */
  projectId?: string | undefined
  page?: number | undefined
  limit?: number | undefined
}

/** The parameters of such a list's statement. */
type PageParameter = 'organizationId' | 'q' | 'sort' | 'projectId' | 'limit' | 'offset'

/** Rows of one kind of configuration. */
interface ConfigurationList<C extends Columns> {
  /** Names the statement. */
  name: string
  /** The columns of `rows` and `details`; those that only narrow and sort a page are omitted. */
  columns: C
  /** Every row of the organization, with the columns id, name, searched, projectId, createdAt and updatedAt. */
  rows: (p: Placeholders<PageParameter>) => string
  /** A common table expression over the rows of the page, which it calls `page`. */
  shared?: (p: Placeholders<PageParameter>) => string
  /** Additional columns for the rows `r` of the page only: a select with one row for each. */
  details: (p: Placeholders<PageParameter>) => string
}

const sorted = (p: Placeholders<PageParameter>) => `
    case when ${p.sort}::text = 'name' then lower_case(m.name) end,
    case ${p.sort}::text when '-updatedAt' then m."updatedAt" when '-createdAt' then m."createdAt" end desc, m.id`

/** A page beyond the last row is one row of nulls. */
function absent(columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, nullable(of)]))
}

/** Reads one page of a list of configuration with its total, in one round trip. */
export function configurationPage<C extends Columns>({
  name,
  columns,
  rows,
  shared,
  details,
}: ConfigurationList<C>) {
  const page = statement<PageParameter>(
    name,
    (p) => `
with matching as (
  select s.* from (${rows(p)}) s
  where (${p.projectId}::text is null or s."projectId"::text is not distinct from nullif(${p.projectId}::text, 'none'))
    and (${p.q}::text is null or position(lower_case(${p.q}::text) in lower_case(s.searched)) > 0
      or starts_with(s.id::text, lower_case(${p.q}::text)))
), page as (
  select m.*, row_number() over (order by ${sorted(p)}) as place from matching m
  order by ${sorted(p)} limit ${p.limit}::int offset ${p.offset}::bigint
)${shared ? `, ${shared(p)}` : ''}
select t.total, r.*, d.*
from (select count(*)::int as total from matching) t
left join page r on true
left join lateral (${details(p)}) d on r.id is not null
order by r.place`,
  ).returning({
    projectId: nullable(uuid<string>()),
    updatedAt: nullable(timestamp()),
    ...absent(columns),
    searched: nullable(text()),
    total: number(),
    place: nullable(number()),
  })
  return async (
    client: SqlClient,
    organizationId: OrganizationId,
    { q, sort = '-updatedAt', projectId, page: pageNumber = 1, limit = 20 }: ConfigurationQuery,
  ): Promise<{ rows: RowOfColumns<C>[]; total: number }> => {
    const found = await client.query(
      ...page({
        organizationId,
        q: q === undefined ? null : storableText(q),
        sort,
        projectId: projectId?.toLowerCase() ?? null,
        limit,
        offset: (pageNumber - 1) * limit,
      }),
    )
    // Only a row of nulls has no place, so these have every column.
    const rows = found.filter(({ place }) => place !== null) as unknown as RowOfColumns<C>[]
    return { rows, total: found[0]?.total ?? 0 }
  }
}
