import type { CallPlan, CallStore } from '@troupe/voice'
import { boolean, json, nullable, number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { TRUNK_COLUMNS, TRUNK_ROW } from '../trunks/trunk-columns.ts'

const PLAN = statement<'organizationId' | 'trunkId' | 'phoneNumberId'>(
  'plan_call',
  (p) => `
select ${TRUNK_COLUMNS},
  case when n.id is not null then json_build_object('id', n.id, 'e164', n.e164) end as number,
  case when c.id is not null then json_build_object('voiceConfigId', c.id, 'agentId', a.id,
    'agentVersionId', a.version_id, 'projectId', a.project_id, 'isArchived', a.status = 'archived',
    'settings', c.settings) end as voice,
  exists (select from budgets b where b.organization_id = t.organization_id and b.project_id is null
    and b.metric = 'voice_minutes') as "hasBudget"
from phone_trunks t
left join phone_numbers n on n.organization_id = t.organization_id and n.trunk_id = t.id
  and n.id = ${p.phoneNumberId}::uuid
left join voice_configurations c on c.organization_id = t.organization_id and c.id = n.voice_config_id
left join agents a on a.organization_id = t.organization_id and a.id = c.agent_id
where t.organization_id = ${p.organizationId}::uuid and t.id = ${p.trunkId}::uuid`,
).returning({
  ...TRUNK_ROW,
  number: nullable(json<CallPlan['number']>()),
  voice: nullable(json<CallPlan['voice']>()),
  hasBudget: boolean(),
})

const IS_ON_DO_NOT_CALL = statement<'organizationId' | 'e164'>(
  'is_on_do_not_call',
  (p) => `
select 1 as found from do_not_call
where organization_id = ${p.organizationId}::uuid and e164 = ${p.e164} and status = 'confirmed'`,
).returning({ found: number() })

const PROPOSE = statement<'organizationId' | 'e164' | 'reason'>(
  'propose_do_not_call',
  (p) => `
insert into do_not_call (organization_id, e164, status, reason)
values (${p.organizationId}::uuid, ${p.e164}, 'proposed', ${p.reason}) on conflict do nothing`,
)

/** Reads before a call is placed, and the do-not-call list. */
export function callPlans(client: SqlClient): Pick<CallStore, 'plan' | 'isOnDoNotCall' | 'proposeDoNotCall'> {
  return {
    async plan(organizationId, { trunkId, phoneNumberId }) {
      const [row] = await client.query(...PLAN({ organizationId, trunkId, phoneNumberId }))
      if (!row) return null
      const { number, voice, hasBudget, ...trunk } = row
      return { trunk, number, voice, hasBudget }
    },
    async isOnDoNotCall(organizationId, e164) {
      return (await client.query(...IS_ON_DO_NOT_CALL({ organizationId, e164 }))).length > 0
    },
    async proposeDoNotCall(organizationId, e164, reason) {
      await client.query(...PROPOSE({ organizationId, e164, reason }))
    },
  }
}
