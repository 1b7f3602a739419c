import type { RunStatus } from '@troupe/agents/ports'
import type { OrganizationId, RunId } from '@troupe/contract'
import { text } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

const READ_STATUS = statement<'runId' | 'organizationId'>(
  'read_run_status',
  (p) =>
    `select status from runs where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid`,
).returning({ status: text<RunStatus>() })

/**
 * The status of a run after a lost compare-and-set, read in a separate statement: the snapshot of the losing
 * statement may predate the winning end. null when there is no such run.
 */
export async function readStatus(
  client: SqlClient,
  runId: RunId,
  organizationId: OrganizationId,
): Promise<RunStatus | null> {
  const [row] = await client.query(...READ_STATUS({ runId, organizationId }))
  return row?.status ?? null
}
