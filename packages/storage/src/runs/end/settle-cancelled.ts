import type { RunStore } from '@troupe/agents/ports'
import { boolean } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { PARENT_COLUMNS } from '../rows/member-rows.ts'
import {
  endAssignments,
  endDetails,
  endLog,
  endMembers,
  fenceHolds,
  type TeamEndParameter,
  teamEndValues,
} from './run-end.ts'

/**
 * Idempotent: the lease of a cancelled run marks that its texts are still owed, so a second settle finds no lease and
 * writes nothing. The status and outcome set by the cancel are kept.
 */
const SETTLE_CANCELLED = statement<TeamEndParameter>(
  'settle_cancelled',
  (p) => `
with ended as (
  update runs set lease_until = null, plan = ${p.plan}::json, ${endAssignments(p)}
  where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and entity_id = ${p.entityId}::uuid
    and status = 'cancelled' and lease_until is not null and ${fenceHolds(p)}
  returning ${PARENT_COLUMNS}
), ${endDetails(p)}, ${endLog(p)}, ${endMembers(p)}
select exists (select from ended) as settled`,
).returning({ settled: boolean() })

export function settleCancelled(client: SqlClient): RunStore['settleCancelled'] {
  return async (end) => {
    await client.query(...SETTLE_CANCELLED(teamEndValues(end)))
  }
}
