import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../../sql/sql-client.ts'
import { PARENT_COLUMNS } from '../rows/member-rows.ts'
import {
  END_ASSIGNMENTS,
  END_DETAILS,
  END_LOG,
  END_MEMBERS,
  endValuesWithMembers,
  FENCE_HOLDS,
} from './run-end.ts'

/** The lease of a cancelled run says that its texts are still owed: settling twice finds none and writes nothing. */
const SETTLE_CANCELLED = {
  name: 'settle_cancelled',
  text: `
with given as (
  -- The status and outcome that a cancel has fixed are not written again; naming them here types the parameters.
  select $3::text, $5::boolean, $6::text, $8::text, $9::text, $10::timestamptz
), ended as (
  update runs set lease_until = null, plan = $22::json, ${END_ASSIGNMENTS}
  where id = $1::uuid and organization_id = $2::uuid and entity_id = $14::uuid
    and status = 'cancelled' and lease_until is not null and ${FENCE_HOLDS}
  returning ${PARENT_COLUMNS}
), ${END_DETAILS}, ${END_LOG}, ${END_MEMBERS}
select exists (select from ended) as settled`,
}

export function settleCancelled(client: SqlClient): RunStore['settleCancelled'] {
  return async (end) => {
    await client.query(SETTLE_CANCELLED, endValuesWithMembers(end))
  }
}
