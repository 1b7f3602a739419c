import type { PhoneTrunkId } from '@troupe/contract'
import type { TrunkProvisioningStore } from '@troupe/voice'
import { nullable, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { TRUNK_COLUMNS, TRUNK_ROW } from './trunk-columns.ts'

/** Covers all organizations, because provisioning is a periodic duty of the deployment. */
const WAITING = statement<'limit'>(
  'waiting_trunks',
  (p) => `
select ${TRUNK_COLUMNS} from phone_trunks t where t.status = 'provisioning' and t.provisioning = 'auto'
order by t.updated_at, t.id limit ${p.limit}::int`,
).returning(TRUNK_ROW)

const NUMBERS = statement<'organizationId' | 'id'>(
  'numbers_of_trunk',
  (p) => `
select e164 from phone_numbers where organization_id = ${p.organizationId}::uuid and trunk_id = ${p.id}::uuid
order by created_at, id`,
).returning({ e164: text() })

/** `former` is compared, so that only one of two processes that provision a lost trunk succeeds. */
const PROVISIONED = statement<'organizationId' | 'id' | 'former' | 'lkTrunkId' | 'configHash' | 'at'>(
  'trunk_provisioned',
  (p) => `
update phone_trunks set status = 'active', lk_trunk_id = ${p.lkTrunkId}, provisioned_hash = ${p.configHash},
  provisioned_at = ${p.at}::timestamptz, provision_error = null
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and config_hash = ${p.configHash}
  and status in ('provisioning', 'active') and lk_trunk_id is not distinct from ${p.former}::text
returning id`,
).returning({ id: uuid<PhoneTrunkId>() })

const IN_USE = statement<'organizationId' | 'id' | 'configHash'>(
  'media_trunk_in_use',
  (p) => `
select lk_trunk_id as "lkTrunkId" from phone_trunks
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and config_hash = ${p.configHash}
  and status = 'active'`,
).returning({ lkTrunkId: nullable(text()) })

/** A trunk that was provisioned before remains usable: the next call tries again. */
const NOT_PROVISIONED = statement<'organizationId' | 'id' | 'former' | 'message' | 'isFinal' | 'configHash'>(
  'trunk_not_provisioned',
  (p) => `
update phone_trunks set provision_error = ${p.message},
  status = case when status = 'provisioning' and ${p.isFinal}::boolean then 'failed' else status end
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and config_hash = ${p.configHash}
  and lk_trunk_id is not distinct from ${p.former}::text`,
)

/** The provisioning state of trunks in the media server. */
export function trunkProvisioning(client: SqlClient): TrunkProvisioningStore {
  return {
    waiting: (limit) => client.query(...WAITING({ limit })),
    async numbers({ organizationId, id }) {
      const rows = await client.query(...NUMBERS({ organizationId, id }))
      return rows.map(({ e164 }) => e164)
    },
    async provisioned({ organizationId, id }, { at, ...change }) {
      const rows = await client.query(...PROVISIONED({ organizationId, id, at: at.toISOString(), ...change }))
      if (rows.length > 0) return change.lkTrunkId
      const { configHash } = change
      const [inUse] = await client.query(...IN_USE({ organizationId, id, configHash }))
      return inUse?.lkTrunkId ?? null
    },
    async notProvisioned({ organizationId, id }, error) {
      await client.query(...NOT_PROVISIONED({ organizationId, id, ...error }))
    },
  }
}
