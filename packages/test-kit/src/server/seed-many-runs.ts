import { join } from 'node:path'
import type { AgentId, AgentVersionId, IdText, OrganizationId } from '@troupe/contract'
import { type Database, openDatabase } from '@troupe/storage'
import { serverBinaries } from '../postgres/binaries.ts'
import { testPostgres } from '../postgres/shared-postgres.ts'
import { runStatement } from '../postgres/statements.ts'

/** The owner and the number of runs. */
export interface ManyRuns {
  organizationId: IdText<OrganizationId>
  agentId: IdText<AgentId>
  versionId: IdText<AgentVersionId>
  count: number
}

/** A PostgreSQL database for a server, with a way to fill it with more rows than operations could create. */
export interface BulkDatabase extends AsyncDisposable {
  database: Database
  /** Inserts ended runs of one agent, one per second up to now; one of ten failed. */
  insertRuns(runs: ManyRuns): Promise<void>
  /** Inserts copies of an agent, a team or a workflow; the nth is called "Copy n", and the last one has the latest change. */
  insertCopies(copies: { table: 'agents' | 'teams' | 'workflows'; id: string; count: number }): Promise<void>
}

async function migrated(url: string): Promise<void> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: false })
  await database[Symbol.asyncDispose]()
}

/** Opens a private database; null without a PostgreSQL server on this machine. */
export async function openBulkDatabase(): Promise<BulkDatabase | null> {
  await using resources = new AsyncDisposableStack()
  const postgres = await testPostgres(migrated)
  if (!postgres) return null
  resources.use(postgres)
  const { url } = resources.use(await postgres.createDatabase())
  const database = resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: false }))
  const psql = join(serverBinaries() ?? '', 'psql')
  const owned = resources.move()
  return {
    database,
    insertRuns: (runs) => runStatement(psql, url, insertStatement(runs)),
    insertCopies: (copies) => runStatement(psql, url, copyStatement(copies)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The ids come from tests, never from a caller. */
function insertStatement({ organizationId, agentId, versionId, count }: ManyRuns): string {
  return `
with session as (
  insert into sessions (id, organization_id, kind, entity_id, session_id, user_id, last_seq)
  values (gen_random_uuid(), '${organizationId}', 'agent', '${agentId}', 'many', 'many', ${count}) returning id
)
insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
  success, input, content, error_message, user_id, include_messages, input_tokens, output_tokens, created_at, started_at,
  completed_at)
select gen_random_uuid(), '${organizationId}', 'agent', '${agentId}', '${versionId}', session.id, n, 'api_stream',
  case when n % 10 = 0 then 'failed' else 'completed' end, n % 10 > 0, 'Question ' || n, 'Answer ' || n,
  case when n % 10 = 0 then 'Provider failed, try ' || n end, 'user-' || n % 100, false, 900, 100, t.at, t.at,
  t.at + interval '2 seconds'
from session, generate_series(1, ${count}) n
cross join lateral (select now() - (${count} - n) * interval '1 second' as at) t`
}

const COPIED = {
  agents: 'status, config, config_schema_version, version_id, version_number',
  teams: 'config, config_schema_version, version_id, version_number',
  workflows: 'draft, draft_hash, draft_revision, draft_triggers, version_number, form_credential_version',
} as const

/** Copies share the version of the original; lists only read its author. */
function copyStatement({
  table,
  id,
  count,
}: {
  table: keyof typeof COPIED
  id: string
  count: number
}): string {
  return `
insert into ${table} (id, organization_id, project_id, name, ${COPIED[table]}, created_at, updated_at)
select gen_random_uuid(), organization_id, project_id, 'Copy ' || n, ${COPIED[table]}, t.at, t.at
from ${table}, generate_series(1, ${count}) n
cross join lateral (select now() - (${count} - n) * interval '1 second' as at) t
where id = '${id}'`
}
