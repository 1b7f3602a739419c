import type { RunStatus } from '@troupe/agents/ports'
import type { OrganizationId, RunId } from '@troupe/contract'
import type { SqlClient } from '../../sql/sql-client.ts'

const READ_STATUS = {
  name: 'read_run_status',
  text: 'select status from runs where id = $1::uuid and organization_id = $2::uuid',
}

/**
 * The status of a run after a lost compare-and-set, in a statement of its own: the snapshot of the one that lost may be
 * older than the end that won. null when there is no such run.
 */
export async function readStatus(
  client: SqlClient,
  runId: RunId,
  organizationId: OrganizationId,
): Promise<RunStatus | null> {
  const [row] = await client.query<{ status: RunStatus }>(READ_STATUS, [runId, organizationId])
  return row?.status ?? null
}
