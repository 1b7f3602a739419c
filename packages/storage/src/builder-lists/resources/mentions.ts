/** A UUID in a text, as a pattern of PostgreSQL. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/**
 * The configurations of agents, teams and workflows as texts: kind, id, name, document.
 *
 * @param agents a condition on agents `a`
 */
export function configuredTexts(organization: string, agents = 'true'): string {
  return `
    select 'agent' as kind, a.id, a.name, a.config::text as document from agents a
    where a.organization_id = ${organization} and ${agents}
    union all
    select 'team', t.id, t.name, t.config::text from teams t where t.organization_id = ${organization}
    union all
    select 'workflow', w.id, w.name, w.draft::text from workflows w
    where w.organization_id = ${organization} and w.deleted_at is null`
}

/**
 * A common table expression `mentions`: which texts name which row of `table` by its id: of, kind, id, name. Each text is
 * read once for all rows: one search for each row took fifty times as long for a page of 100 (3,000 texts of 5 kB).
 */
export function mentionsOfMany(texts: string, table: string): string {
  return `mentions as materialized (
  select distinct lower(m.found[1])::uuid as of, o.kind, o.id, o.name
  from (${texts}) o cross join lateral regexp_matches(o.document, '${UUID_PATTERN}', 'gi') m(found)
  where lower(m.found[1]) in (select wanted.id::text from ${table} wanted)
)`
}

/** The same for a table of one row, for which a plain search is faster. */
export function mentionsOfOne(texts: string, table: string): string {
  return `mentions as materialized (
  select wanted.id as of, o.kind, o.id, o.name
  from ${table} wanted join (${texts}) o on ${namesId('wanted', 'o.document')}
)`
}

/** Whether a document names the id of the row `r` anywhere: ids occur nowhere by chance. */
export const namesId = (r: string, document: string) =>
  `position(${r}.id::text in lower(${document}::text)) > 0`
