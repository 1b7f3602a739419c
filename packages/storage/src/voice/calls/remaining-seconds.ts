import type { OrganizationId, ProjectId } from '@troupe/contract'
import { boolean, number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

const LOCK = statement<'organizationId'>(
  'lock_voice_minutes',
  (p) => `select pg_advisory_xact_lock(hashtextextended('voice_minutes:' || ${p.organizationId}, 0))`,
)

/**
 * A call in flight has no charge and counts with its reservation; an ended one counts with its charge. Two statements
 * after the lock: the sum must see the commits of the previous holder.
 */
const REMAINING = statement<'organizationId' | 'projectId' | 'period'>(
  'remaining_voice_seconds',
  (p) => `
select (b.limit_micros * 60 / 1000000.0 - coalesce((
  select sum(coalesce(v.charged_s, v.reserved_s)) from voice_sessions v
  where v.organization_id = b.organization_id and v.kind = 'outbound_call' and v.lease_period = ${p.period}::date
    and (b.project_id is null or v.project_id = b.project_id)), 0))::float8 as remaining, b.project_id is null as "isWhole"
from budgets b
where b.organization_id = ${p.organizationId}::uuid and b.metric = 'voice_minutes'
  and (b.project_id is null or b.project_id = ${p.projectId}::uuid)`,
).returning({ remaining: number(), isWhole: boolean() })

/**
 * Takes the lock of the organization's voice minutes until the transaction ends, and returns the seconds left in each
 * budget of the project; empty if the organization has none.
 *
 * @param period first day of the month (UTC), `YYYY-MM-DD`
 */
export async function remainingSeconds(
  client: SqlClient,
  owner: { organizationId: OrganizationId; projectId: ProjectId | null },
  period: string,
): Promise<number[]> {
  await client.query(...LOCK({ organizationId: owner.organizationId }))
  const rows = await client.query(...REMAINING({ ...owner, period }))
  return rows.some(({ isWhole }) => isWhole) ? rows.map(({ remaining }) => remaining) : []
}
