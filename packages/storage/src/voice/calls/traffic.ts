import type { OrganizationId, PhoneTrunkId } from '@troupe/contract'
import type { CallStore } from '@troupe/voice'
import { number, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/** Seconds between the answer of a call and its end, or now. */
const talked = (now: string) =>
  `greatest(0, extract(epoch from coalesce(v.ended_at, ${now}::timestamptz) - v.answered_at))`

/** A call belongs to the hour in which it was placed. The index of a trunk's calls by time serves both reads. */
const TRAFFIC = statement<'now' | 'busyS'>(
  'traffic_of_trunks',
  (p) => `
select t.organization_id as "organizationId", t.id as "trunkId", h.answered, h.short, h.talked_s::float8 as "talkedS",
  coalesce(w.busiest_s, 0)::float8 as "busiestTalkedS"
from phone_trunks t
cross join lateral (
  select count(*)::int as answered, sum(${talked(p.now)}) as talked_s,
    (count(*) filter (where v.ended_at < v.answered_at + interval '6 seconds'))::int as short
  from voice_sessions v
  where v.trunk_id = t.id and v.kind = 'outbound_call' and v.answered_at is not null
    and v.created_at > ${p.now}::timestamptz - interval '1 hour'
) h
left join lateral (
  select max(s.talked_s) as busiest_s from (
    select sum(${talked(p.now)}) as talked_s from voice_sessions v
    where h.talked_s > ${p.busyS}::int and v.trunk_id = t.id and v.kind = 'outbound_call' and v.answered_at is not null
      and v.created_at <= ${p.now}::timestamptz - interval '1 hour'
      and v.created_at > ${p.now}::timestamptz - interval '7 days'
    group by date_bin('1 hour', v.created_at, ${p.now}::timestamptz)
  ) s
) w on true
where h.answered > 0`,
).returning({
  organizationId: uuid<OrganizationId>(),
  trunkId: uuid<PhoneTrunkId>(),
  answered: number(),
  short: number(),
  talkedS: number(),
  busiestTalkedS: number(),
})

export function callTraffic(client: SqlClient): Pick<CallStore, 'traffic'> {
  return {
    traffic: (now, busyS) => client.query(...TRAFFIC({ now: now.toISOString(), busyS })),
  }
}
