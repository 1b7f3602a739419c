import type { OrganizationId, SignInRowId, UserId } from '@troupe/contract'
import { nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'

const IN_FLIGHT = statement<'organizationId'>(
  'count_runs_in_flight',
  (p) => `
select count(*)::int as runs from workflow_runs
where organization_id = ${p.organizationId}::uuid and status in ('queued', 'running', 'paused', 'awaiting_approval')`,
).returning({ runs: number() })

const SIGN_INS = statement<'userId'>(
  'list_sign_ins',
  (p) => `
select id, ip_address as ip, user_agent as "userAgent", created_at as "createdAt", expires_at as "expiresAt"
from sign_in_sessions where user_id = ${p.userId}::uuid and expires_at > now() order by created_at desc, id desc`,
).returning({
  id: uuid<SignInRowId>(),
  ip: nullable(text()),
  userAgent: nullable(text()),
  createdAt: timestamp(),
  expiresAt: timestamp(),
})

/** A sign-in session of a person. */
export type SignInPlaceRow = RowOf<typeof SIGN_INS>

/** Reads of organizations and of the people in them. */
export function organizationRows(client: SqlClient) {
  return {
    /** How many workflow runs of the organization have not ended. */
    async runsInFlight(organizationId: OrganizationId): Promise<number> {
      const [row] = await client.query(...IN_FLIGHT({ organizationId }))
      return row?.runs ?? 0
    },
    /** Sign-in sessions of a person, newest first. */
    signIns: (userId: UserId) => client.query(...SIGN_INS({ userId })),
  }
}
