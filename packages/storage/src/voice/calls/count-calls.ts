import { type CallCounts, type NewOutboundCall, rateWindow } from '@troupe/voice'
import { nullable, number, timestamp } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

const COUNTS = statement<
  'organizationId' | 'trunkId' | 'from' | 'to' | 'rateSince' | 'hourSince' | 'daySince'
>('count_calls_of_trunk', (p) => {
  const ofTrunk = `v.organization_id = ${p.organizationId}::uuid and v.trunk_id = ${p.trunkId}::uuid`
  // A call that a person answered counts, even if something failed afterwards; an unanswered one counts only if the
  // destination was at fault.
  const tried = `v.created_at > ${p.hourSince}::timestamptz and v.to_e164 = ${p.to}
      and (v.answered_at is not null
        or coalesce(v.failure_reason, '') <> all (array['trunk_auth', 'trunk_lost', 'infra'])
          and coalesce(v.failure_reason, '') not like 'carrier%')`
  const inRate = `v.created_at > ${p.rateSince}::timestamptz`
  return `
select f."inFlight", f."samePair", c.* from (
  select count(*)::int as "inFlight",
    (count(*) filter (where v.from_e164 = ${p.from} and v.to_e164 = ${p.to}))::int as "samePair"
  from voice_sessions v where ${ofTrunk} and v.session_state in ('starting', 'waiting', 'dialing', 'active')
) f, (
  select (count(*) filter (where ${inRate}))::int as "inRateWindow",
    min(v.created_at) filter (where ${inRate}) as "oldestInRateWindow",
    (count(*) filter (where ${tried}))::int as "toDestination",
    min(v.created_at) filter (where ${tried}) as "oldestToDestination",
    count(*)::int as "inDay", min(v.created_at) as "oldestInDay"
  from voice_sessions v where ${ofTrunk} and v.kind = 'outbound_call' and v.created_at > ${p.daySince}::timestamptz
) c`
}).returning({
  inFlight: number(),
  samePair: number(),
  inRateWindow: number(),
  oldestInRateWindow: nullable(timestamp()),
  toDestination: number(),
  oldestToDestination: nullable(timestamp()),
  inDay: number(),
  oldestInDay: nullable(timestamp()),
})

const HOUR_MS = 60 * 60_000
const NOTHING: CallCounts = {
  inFlight: 0,
  samePair: 0,
  inRateWindow: 0,
  oldestInRateWindow: null,
  toDestination: 0,
  oldestToDestination: null,
  inDay: 0,
  oldestInDay: null,
}

/** The counts for the caps of the call's trunk. */
export async function countCalls(
  client: SqlClient,
  { organizationId, trunkId, fromE164, toE164, createdAt }: NewOutboundCall,
  maxCps: number,
): Promise<CallCounts> {
  const ago = (ms: number) => new Date(createdAt.getTime() - ms).toISOString()
  const [counts] = await client.query(
    ...COUNTS({
      organizationId,
      trunkId,
      from: fromE164,
      to: toE164,
      rateSince: ago(rateWindow(maxCps).windowMs),
      hourSince: ago(HOUR_MS),
      daySince: ago(24 * HOUR_MS),
    }),
  )
  return counts ?? NOTHING
}
