import { type SqlClient, statement, storableJson } from '@troupe/sql'
import type { NewTest, TestTerms } from '@troupe/workflows/ports'

type Seed = NewTest['seeds'][number]

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

/** What a stored test is, beside its seeds. */
export function termsOf({ kind, nodeId, path, effects, secretNames }: StoredScope): TestTerms {
  return { scope: { kind, nodeId, path }, effects, secretNames }
}

const WRITE_SEEDS = statement<'runId' | 'organizationId' | 'seeds'>(
  'write_workflow_run_seeds',
  (p) => `
insert into workflow_run_seeds (run_id, n, organization_id, node_id, path, output, handles, variables, iterations, origin, from_run_id)
select ${p.runId}::uuid, n, ${p.organizationId}::uuid, node_id, path, output, handles, variables, iterations, origin, from_run_id
from json_to_recordset(${p.seeds}::json) as g (n int, node_id text, path text, output json, handles text[], variables json,
  iterations json, origin text, from_run_id uuid)`,
)

const READ_SEEDS = statement<'runId'>(
  'read_workflow_run_seeds',
  (p) => `
select node_id, path, output, to_json(handles) as handles, variables, iterations, origin, from_run_id
from workflow_run_seeds where run_id = ${p.runId}::uuid order by n`,
)

interface Row {
  node_id: string
  path: string | null
  output: unknown
  handles: string[] | null
  variables: Record<string, unknown> | null
  iterations: unknown[] | null
  origin: Seed['origin']
  from_run_id: string | null
}

/** Writes the seeds of a run, in the transaction that accepts it: a run without its seeds would run their steps. */
export async function writeSeeds(
  client: SqlClient,
  run: { runId: string; organizationId: string },
  seeds: readonly Seed[],
): Promise<void> {
  if (seeds.length === 0) return
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
  }))
  await client.query(...WRITE_SEEDS({ ...run, seeds: storableJson(rows) }))
}

/** The seeds of a run, in the order in which they were given. */
export async function readSeeds(client: SqlClient, runId: string): Promise<Seed[]> {
  const rows = await client.query<Row>(...READ_SEEDS({ runId }))
  return rows.map(({ node_id: nodeId, from_run_id: fromRunId, ...seed }) => ({ ...seed, nodeId, fromRunId }))
}
