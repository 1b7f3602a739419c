import type { OrganizationId, WorkflowRunId } from '@troupe/contract'
import type { CopiedSeed, NewTest, TestOfWorkflowRun, TestTerms } from '@troupe/workflows/ports'
import { json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'
import { OUTPUT_OF_NODE } from './node-rows.ts'

type Seed = TestOfWorkflowRun['seeds'][number]

/** The column `scope` of a test. */
export interface StoredScope {
  kind: TestTerms['scope']['kind']
  nodeId: string | null
  path: string | null
  effects: boolean | readonly string[]
  secretNames: readonly string[]
}

/** The column `scope` of a new test, as JSON. */
export function storedScope({ scope, effects, secretNames }: NewTest): string {
  const { kind, nodeId, path } = scope
  return storableJson({ kind, nodeId, path, effects, secretNames } satisfies StoredScope)
}

/** The properties of a stored test, without its seeds. */
export function termsOf({ kind, nodeId, path, effects, secretNames }: StoredScope): TestTerms {
  return { scope: { kind, nodeId, path }, effects, secretNames }
}

/** Maximum size of the seeds of a run, equal to that of all outputs of a run. */
const MAX_BYTES = 50 * 1024 * 1024

/**
 * The last values that steps of a Loop assigned to variables in its iterations before `first`: for each step its last
 * row, then for each variable the last of these.
 */
const FOLDED_VARIABLES = `(
    select json_object_agg(w.key, w.value) from (
      select distinct on (e.key) e.key, e.value from (
        select distinct on (v.node_id) v.output, v.seq from workflow_node_runs v
        where v.run_id = g.from_run_id and v.status = 'completed' and json_typeof(v.output) = 'object'
          and v.node_id in (select json_array_elements_text(g.writers)) and starts_with(v.path, g.frames)
          and split_part(substr(v.path, length(g.frames) + 1), ']', 1)::int < coalesce(g.first, 2147483647)
        order by v.node_id, v.seq desc
      ) l, json_each(l.output) e
      order by e.key, l.seq desc
    ) w
  )`

/**
 * A copied output with the fields of a chosen handle. Unlike `jsonb`, `json` keeps the digits of numbers and the order
 * of keys.
 */
const WITH_FIELDS = `case when g.fields is not null and json_typeof(${OUTPUT_OF_NODE}) = 'object' then (
      select json_object_agg(f.key, coalesce(g.fields->f.key, f.value) order by f.place, f.at) from (
        select o.*, 0 as place from json_each(${OUTPUT_OF_NODE}) with ordinality as o (key, value, at)
        union all
        select a.*, 1 from json_each(g.fields) with ordinality as a (key, value, at)
          where (${OUTPUT_OF_NODE})->a.key is null
      ) f
    ) else ${OUTPUT_OF_NODE} end`

/**
 * Copies are read from rows of the same organization, of a run whose values retention has not erased. Copy and erasure
 * are one statement each, so a copy sees all values or none.
 */
const WRITE_SEEDS = statement<'runId' | 'organizationId' | 'seeds'>(
  'write_workflow_run_seeds',
  (p) => `
with given as materialized (
  select * from json_to_recordset(${p.seeds}::json) as g (n int, node_id text, path text, output json, handles text[],
    variables json, iterations json, origin text, from_run_id uuid, copies boolean, from_path text, first int, writers json,
    frames text, fields json)
), found as (
  select g.n, g.node_id, g.path, g.origin, g.from_run_id,
    case when g.copies then case when g.first is null then ${WITH_FIELDS} end else g.output end as output,
    case when g.copies then coalesce(g.handles, n.handles) else g.handles end as handles,
    case when g.writers is not null then ${FOLDED_VARIABLES} else g.variables end as variables,
    case when g.first is not null then (
      select coalesce(json_agg(i.output order by i.idx), '[]') from workflow_iterations i
      where i.run_id = g.from_run_id and i.path = g.from_path and i.node_id = g.node_id and i.idx < g.first
    ) else g.iterations end as iterations,
    g.copies and (n.run_id is null or r.id is null) as is_gone
  from given g
  left join workflow_runs r on g.copies and r.id = g.from_run_id and r.organization_id = ${p.organizationId}::uuid
    and not r.trace_erased
  left join workflow_node_runs n on n.run_id = r.id and n.path = g.from_path and n.node_id = g.node_id
    and (n.status = 'completed' or g.first is not null)
), written as (
  insert into workflow_run_seeds (run_id, n, organization_id, node_id, path, output, handles, variables, iterations, origin, from_run_id)
  select ${p.runId}::uuid, n, ${p.organizationId}::uuid, node_id, path, output, handles, variables, iterations, origin, from_run_id
  from found where not is_gone
  returning coalesce(octet_length(output::text), 0) + coalesce(octet_length(iterations::text), 0)
    + coalesce(octet_length(variables::text), 0) as bytes
)
select (select count(*)::int from found where is_gone) as gone, (select coalesce(sum(bytes), 0)::float8 from written) as bytes`,
).returning({ gone: number(), bytes: number() })

const DELETE_SEEDS = statement<'runId'>(
  'delete_workflow_run_seeds',
  (p) => `delete from workflow_run_seeds where run_id = ${p.runId}::uuid`,
)

const READ_SEEDS = statement<'runId'>(
  'read_workflow_run_seeds',
  (p) => `
select node_id, path, output, to_json(handles) as handles, variables, iterations, origin, from_run_id
from workflow_run_seeds where run_id = ${p.runId}::uuid order by n`,
).returning({
  node_id: text(),
  path: nullable(text()),
  output: nullable(json<unknown>()),
  handles: nullable(json<string[]>()),
  variables: nullable(json<Record<string, unknown>>()),
  iterations: nullable(json<unknown[]>()),
  origin: text<Seed['origin']>(),
  from_run_id: nullable(uuid<WorkflowRunId>()),
})

/**
 * Writes the seeds of a run, in the transaction that accepts it afterwards: without its seeds, a run would execute
 * their steps. With a result other than null, some seeds may have been written; the caller then deletes them.
 */
export async function writeSeeds(
  client: SqlClient,
  run: { runId: WorkflowRunId; organizationId: OrganizationId },
  seeds: NewTest['seeds'],
): Promise<'seeds_gone' | 'seeds_too_large' | null> {
  if (seeds.length === 0) return null
  const rows = seeds.map((seed, n) => ({
    n,
    node_id: seed.nodeId,
    path: seed.path,
    output: seed.output,
    handles: seed.handles,
    variables: seed.variables,
    iterations: seed.iterations,
    origin: seed.origin,
    from_run_id: seed.fromRunId,
    ...('copy' in seed ? copied(seed) : { copies: false }),
  }))
  const [row] = await client.query(...WRITE_SEEDS({ ...run, seeds: storableJson(rows) }))
  if (!row || row.gone > 0) return 'seeds_gone'
  return row.bytes > MAX_BYTES ? 'seeds_too_large' : null
}

/** Deletes the seeds of a refused start. */
export async function deleteSeeds(client: SqlClient, runId: WorkflowRunId): Promise<void> {
  await client.query(...DELETE_SEEDS({ runId }))
}

function copied({ nodeId, copy: { path, first, writers, fields } }: CopiedSeed) {
  return {
    copies: true,
    output: null,
    iterations: null,
    from_path: path,
    first,
    fields,
    writers: writers.length === 0 ? null : writers,
    frames: `${path === '' ? '' : `${path}/`}${nodeId}[`,
  }
}

/** The seeds of a run, in the order of the request. */
export async function readSeeds(client: SqlClient, runId: WorkflowRunId): Promise<Seed[]> {
  const rows = await client.query(...READ_SEEDS({ runId }))
  return rows.map(({ node_id: nodeId, from_run_id: fromRunId, ...seed }) => ({ ...seed, nodeId, fromRunId }))
}
