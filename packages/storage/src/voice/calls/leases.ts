import type { ProjectId } from '@troupe/contract'
import type { LeaseStore } from '@troupe/voice'
import { nullable, text, timestamp, uuid } from '../../sql/client/columns.ts'
import type { SqlDriver } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { remainingSeconds } from './remaining-seconds.ts'

const ACTIVE_CALL = statement<'organizationId' | 'id'>(
  'lease_of_call',
  (p) => `
select project_id as "projectId", lease_period::text as period, answered_at + make_interval(secs => reserved_s) as until
from voice_sessions
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and kind = 'outbound_call'
  and session_state = 'active' and answered_at is not null`,
).returning({ projectId: nullable(uuid<ProjectId>()), period: text(), until: timestamp() })

/** Compared again, because the call may have ended since it was read. */
const EXTEND = statement<'organizationId' | 'id' | 'seconds'>(
  'extend_lease_of_call',
  (p) => `
update voice_sessions set reserved_s = reserved_s + ${p.seconds}::int
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and session_state = 'active'
returning answered_at + make_interval(secs => reserved_s) as until`,
).returning({ until: timestamp() })

/** A lease is extended only in its last minute, so that a repeated request reserves nothing twice. */
const LAST_MS = 60_000

/** Leases of voice minutes of calls in flight. */
export function callLeases(driver: SqlDriver): LeaseStore {
  return {
    extend({ organizationId, id }, now, grant) {
      return driver.transaction(async (client) => {
        const [call] = await client.query(...ACTIVE_CALL({ organizationId, id }))
        if (!call) return null
        const remaining = await remainingSeconds(
          client,
          { organizationId, projectId: call.projectId },
          call.period,
        )
        // Read again under the lock: the same request may have been granted in the meantime.
        const [current] = await client.query(...ACTIVE_CALL({ organizationId, id }))
        if (!current) return null
        if (current.until.getTime() - now.getTime() > LAST_MS)
          return { leaseUntil: current.until, granted: true }
        const seconds = remaining.length === 0 ? 0 : grant(remaining)
        if (seconds === 0) return { leaseUntil: current.until, granted: false }
        const [extended] = await client.query(...EXTEND({ organizationId, id, seconds }))
        return extended ? { leaseUntil: extended.until, granted: true } : null
      })
    },
  }
}
