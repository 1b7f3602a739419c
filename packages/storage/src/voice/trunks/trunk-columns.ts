import type { OrganizationId, PhoneTrunkId, ProjectId } from '@troupe/contract'
import type { NumberFormat, PhoneTrunkRecord, QuietHours, TrunkSettings } from '@troupe/voice'
import { json, nullable, number, text, timestamp, uuid } from '../../sql/client/columns.ts'

/** Every column of a trunk by the name of its field. */
const COLUMNS = {
  id: 'id',
  organizationId: 'organization_id',
  projectId: 'project_id',
  slug: 'slug',
  name: 'name',
  direction: 'direction',
  status: 'status',
  provisioning: 'provisioning',
  provisionedAt: 'provisioned_at',
  provisionError: 'provision_error',
  lkTrunkId: 'lk_trunk_id',
  configHash: 'config_hash',
  provisionedHash: 'provisioned_hash',
  address: 'address',
  transport: 'transport',
  authUsername: 'auth_username',
  authPasswordEnc: 'auth_password_enc',
  fromUser: 'from_user',
  mediaEncryption: 'media_encryption',
  mediaTimeoutS: 'media_timeout_s',
  headers: 'headers',
  numberFormat: 'number_format',
  defaultCountry: 'default_country',
  allowedCountries: 'allowed_countries',
  blockedPrefixes: 'blocked_prefixes',
  maxConcurrentCalls: 'max_concurrent_calls',
  maxCps: 'max_cps',
  maxCallsPerDestinationPerHour: 'max_calls_per_destination_per_hour',
  dailyCallCap: 'daily_call_cap',
  quietHours: 'quiet_hours',
  ringingTimeoutS: 'ringing_timeout_s',
  maxCallS: 'max_call_s',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof PhoneTrunkRecord, string>

/** Arrays of text have no type that both drivers parse. */
const LISTS: ReadonlySet<string> = new Set(['allowed_countries', 'blocked_prefixes'])

/** The select list of a whole trunk, of the alias `t`. */
export const TRUNK_COLUMNS = Object.entries(COLUMNS)
  .map(([field, column]) => `${LISTS.has(column) ? `to_json(t.${column})` : `t.${column}`} as "${field}"`)
  .join(', ')

/** {@link TRUNK_COLUMNS} as a row. */
export const TRUNK_ROW = {
  id: uuid<PhoneTrunkId>(),
  organizationId: uuid<OrganizationId>(),
  projectId: nullable(uuid<ProjectId>()),
  slug: text(),
  name: text(),
  direction: text<'inbound' | 'outbound'>(),
  status: text<'draft' | 'provisioning' | 'active' | 'disabled' | 'failed'>(),
  provisioning: text<'auto' | 'never' | 'assumed'>(),
  provisionedAt: nullable(timestamp()),
  provisionError: nullable(text()),
  lkTrunkId: nullable(text()),
  configHash: text(),
  provisionedHash: nullable(text()),
  address: text(),
  transport: text<TrunkSettings['transport']>(),
  authUsername: nullable(text()),
  authPasswordEnc: nullable(text()),
  fromUser: nullable(text()),
  mediaEncryption: text<TrunkSettings['mediaEncryption']>(),
  mediaTimeoutS: nullable(number()),
  headers: json<Record<string, string>>(),
  numberFormat: text<NumberFormat>(),
  defaultCountry: nullable(text()),
  allowedCountries: json<string[]>(),
  blockedPrefixes: json<string[]>(),
  maxConcurrentCalls: number(),
  maxCps: number(),
  maxCallsPerDestinationPerHour: number(),
  dailyCallCap: nullable(number()),
  quietHours: nullable(json<QuietHours>()),
  ringingTimeoutS: number(),
  maxCallS: number(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}
